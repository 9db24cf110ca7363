-- name: recall_statistics
-- $1 chat, $2 terms, $3 model. What the chat is like as a whole. Numbers of vectors are estimates: they decide how is
-- searched, not what is found.
SELECT c.indexed_messages, c.indexed_terms, coalesce(p.through, 0) AS embedded,
       coalesce((SELECT reltuples FROM pg_class WHERE oid = to_regclass('{vectors}')), 0)::bigint AS vectors,
       v.centroid, v.coherence,
       ARRAY(
           SELECT coalesce((SELECT t.messages FROM term_counts t WHERE t.chat_id = $1 AND t.term = asked.term), 0)
           FROM unnest($2::text[]) WITH ORDINALITY AS asked (term, n)
           ORDER BY asked.n
       ) AS counts
FROM chats c
LEFT JOIN embedding_progress p ON p.model_id = $3 AND p.chat_id = c.chat_id
LEFT JOIN chat_vectors v ON v.model_id = $3 AND v.chat_id = c.chat_id
WHERE c.chat_id = $1;

-- name: recall_pool
-- $1 chat, $2 topic (NULL: all of the chat), $3 now, $4 ids in view, $5 query vectors (some may be NULL), $6 threshold,
-- $7 weight of similarity, $8 weight of time, $9 horizon in seconds; for each query: $10 hits of the combined score,
-- $11 messages that are looked at by vector, $12 by words; $13 neighbours a side; $14 terms; one array a column, for each
-- term by which a query finds messages: $15 query, $16 place among the terms (from 1), $17 weight, $24 share of what the
-- query says; $18 mean length of a message in terms, $19 k1, $20 b, $21 messages that are looked at for one term, the
-- newest; $22 places of the terms that are counted by looking at each message that was found. $23 seeds of each query, the
-- best by a first guess of what was looked at; $25 its weights, a row a query: words, covered, meaning, similarity, length,
-- sender, and at last how similar the chat as a whole is; $26 words of each query, to see who is named; one array a
-- column, for each time that is asked about: $27 query, $28 first and $29 last moment, the last being no part of it, $30
-- what it is worth; $31 as which persona (NULL: any): what another said as the bot is not there; one array a column, for
-- each day that is asked about: $32 query, $33 the term of messages that speak of it, $34 what that is worth, $35 how many
-- of each are looked at, the newest; $36 times in which messages are found by having been sent then, as places among those
-- above (from 1), $37 how many of each, the newest. A term stands for about 2.2 tokens.
-- Nothing large is joined: the planner cannot know how many messages a word finds, and goes through all of them for each.
-- Rows, in order of time: a message that was found or stands beside one that was, its session and length; whether it is
-- in view; the message just before it in its topic, as far as known; the queries for which it is a seed found by words or
-- days, a seed found by vector, a hit; which of the terms it has, and how often; its similarity to each query. Messages are looked
-- up one by one (OFFSET 0): a join would be planned once, while tables are small, as a scan of all of them, and kept.
WITH queries AS MATERIALIZED (
    SELECT q.n, q.vector FROM unnest($5::vector[]) WITH ORDINALITY AS q (vector, n)
), others AS MATERIALIZED (
    SELECT message_id FROM messages WHERE chat_id = $1 AND persona < $31::text
    UNION ALL SELECT message_id FROM messages WHERE chat_id = $1 AND persona > $31
), guessing AS MATERIALIZED (
    SELECT s.n, s.said, ($25::float8[])[s.n][1] AS words, ($25::float8[])[s.n][2] AS covered,
           ($25::float8[])[s.n][3] AS meaning, ($25::float8[])[s.n][4] AS similarity, ($25::float8[])[s.n][5] AS length,
           ($25::float8[])[s.n][6] AS sender, ($25::float8[])[s.n][7] AS usual
    FROM unnest($26::text[]) WITH ORDINALITY AS s (said, n)
), asked AS MATERIALIZED (
    SELECT a.n::int, a.term FROM unnest($14::text[]) WITH ORDINALITY AS a (term, n)
), matched AS MATERIALIZED (
    SELECT a.n AS term, p.message_id, p.sent_at, p.tf, p.length
    FROM asked a
    CROSS JOIN LATERAL (
        SELECT p.message_id, p.sent_at, p.tf, p.length
        FROM postings p
        WHERE p.chat_id = $1 AND p.term = a.term AND ($2::text IS NULL OR p.topic = $2) AND p.sent_at <= $3
        ORDER BY p.message_id DESC
        LIMIT $21
    ) AS p
    WHERE a.n = ANY ($16::int[])
), of_days AS MATERIALIZED (
    SELECT d.query AS n, p.message_id, p.length, p.sent_at, d.worth
    FROM unnest($32::int[], $33::text[], $34::float8[]) AS d (query, term, worth)
    CROSS JOIN LATERAL (
        SELECT p.message_id, p.length, p.sent_at
        FROM postings p
        WHERE p.chat_id = $1 AND p.term = d.term AND ($2::text IS NULL OR p.topic = $2) AND p.sent_at <= $3
        ORDER BY p.message_id DESC
        LIMIT $35
    ) AS p
    UNION ALL
    SELECT ($27::int[])[s.place], m.message_id, m.terms, m.sent_at, 0
    FROM unnest($36::int[]) AS s (place)
    CROSS JOIN LATERAL (
        SELECT m.message_id, m.terms, m.sent_at
        FROM messages m
        WHERE m.chat_id = $1 AND ($2::text IS NULL OR m.topic = $2) AND m.sent_at >= ($28::timestamptz[])[s.place]
            AND m.sent_at < ($29::timestamptz[])[s.place] AND m.sent_at <= $3
        ORDER BY m.sent_at DESC
        LIMIT $37
    ) AS m
), near AS MATERIALIZED (
{near}
), gathered AS MATERIALIZED (
    SELECT n, message_id, max(length) AS length, sum(covered) AS covered, sum(bm25) AS bm25, bool_or(near) AS near,
           bool_or(NOT near) AS said, greatest(max(worth), CASE WHEN cardinality($27::int[]) > 0 THEN (
               SELECT coalesce(max(e.worth), 0)
               FROM unnest($27::int[], $28::timestamptz[], $29::timestamptz[], $30::float8[])
                   AS e (query, first, until, worth)
               WHERE e.query = n AND max(each.sent_at) >= e.first AND max(each.sent_at) < e.until
           ) ELSE 0 END) AS dated
    FROM (
        SELECT s.query AS n, m.message_id, m.length, m.sent_at, s.share AS covered, false AS near, 0 AS worth,
               s.weight * m.tf * ($19::float8 + 1)
                   / (m.tf + $19 * (1 - $20::float8 + $20 * m.length / $18::float8)) AS bm25
        FROM unnest($15::int[], $16::int[], $17::float8[], $24::float8[]) AS s (query, term, weight, share)
        JOIN matched m USING (term)
        UNION ALL
        SELECT n, message_id, length, sent_at, 0, false, worth, 0 FROM of_days
        UNION ALL
        SELECT n, message_id, NULL, sent_at, 0, true, 0, 0 FROM near WHERE kind = 'vector'
    ) AS each
    GROUP BY n, message_id
), candidates AS (
    SELECT n, message_id, by_words, near AS vector, said AND rank <= $12 AS words
    FROM (
        SELECT x.n, x.message_id, x.near, x.said, x.by_words, row_number() OVER (
            PARTITION BY x.n
            ORDER BY x.said DESC, x.by_words + g.length * ln(1 + least(19, 2.2 * x.length::float8)) DESC, x.message_id DESC
        ) AS rank
        FROM (
            SELECT x.*, coalesce(g.words * x.bm25 / nullif(max(x.bm25) OVER (PARTITION BY x.n), 0), 0)
                       + g.covered * x.covered + x.dated AS by_words
            FROM gathered x
            JOIN guessing g USING (n)
            WHERE x.message_id <> ALL ($4::bigint[]) AND x.message_id NOT IN (SELECT message_id FROM others)
        ) AS x
        JOIN guessing g USING (n)
    ) AS each
    WHERE near OR (said AND rank <= $12)
), measured AS (
    SELECT c.n, c.message_id, c.words, c.vector, v.similarity - g.usual AS nearness, g.meaning, g.similarity,
           c.by_words + g.length * ln(1 + least(19, 2.2 * coalesce(m.terms, 0)::float8))
               + CASE WHEN m.is_named THEN g.sender ELSE 0 END AS guess
    FROM candidates c
    JOIN queries q ON q.n = c.n
    JOIN guessing g ON g.n = c.n
    CROSS JOIN LATERAL (
        SELECT m.terms, CASE
            WHEN m.sender = '' THEN false
            WHEN octet_length(m.sender) > char_length(m.sender) THEN strpos(g.said, lower(m.sender)) > 0
            ELSE strpos(g.said, ' ' || lower(split_part(m.sender, ' ', 1)) || ' ') > 0
        END AS is_named
        FROM messages m WHERE m.chat_id = $1 AND m.message_id = c.message_id
        OFFSET 0
    ) AS m
    LEFT JOIN LATERAL (
        SELECT 1 - (v.embedding <=> q.vector) AS similarity
        FROM {vectors} v WHERE v.chat_id = $1 AND v.message_id = c.message_id
        OFFSET 0
    ) AS v ON true
), guessed AS (
    SELECT n, message_id, words, vector, row_number() OVER (
        PARTITION BY n
        ORDER BY guess + coalesce(similarity * nearness, 0) + coalesce(meaning * nearness / nullif(most, 0), 0) DESC,
            message_id DESC
    ) AS rank
    FROM (SELECT *, greatest(0, max(nearness) OVER (PARTITION BY n)) AS most FROM measured) AS each
), seeds AS MATERIALIZED (
    SELECT message_id, array_agg(n) FILTER (WHERE words) AS words, array_agg(n) FILTER (WHERE vector) AS vector,
           array_agg(n) FILTER (WHERE hit) AS hit
    FROM (
        SELECT n, message_id, words, vector, false AS hit FROM guessed WHERE rank <= $23
        UNION ALL SELECT n, message_id, false, false, true FROM near WHERE kind = 'hit'
    ) AS each
    GROUP BY message_id
), linked AS (
    SELECT c.message_id,
           lag(c.message_id) OVER (PARTITION BY s.message_id ORDER BY c.sent_at, c.message_id) AS previous
    FROM seeds s
    CROSS JOIN LATERAL (
        SELECT m.message_id, m.topic, m.sent_at FROM messages m WHERE m.chat_id = $1 AND m.message_id = s.message_id
        OFFSET 0
    ) AS seed
    CROSS JOIN LATERAL (
        (SELECT m.sent_at, m.message_id FROM messages m
         WHERE m.chat_id = $1 AND m.topic = seed.topic AND (m.sent_at, m.message_id) < (seed.sent_at, seed.message_id)
             AND (m.persona = $31 OR m.persona IS NULL OR $31 IS NULL)
         ORDER BY m.sent_at DESC, m.message_id DESC LIMIT $13)
        UNION ALL
        (SELECT seed.sent_at, seed.message_id)
        UNION ALL
        (SELECT m.sent_at, m.message_id FROM messages m
         WHERE m.chat_id = $1 AND m.topic = seed.topic AND (m.sent_at, m.message_id) > (seed.sent_at, seed.message_id)
             AND (m.persona = $31 OR m.persona IS NULL OR $31 IS NULL)
         ORDER BY m.sent_at, m.message_id LIMIT $13)
    ) AS c
    WHERE c.sent_at <= $3 -- out here, or the index is read from the beginning of a page
), pooled AS MATERIALIZED (
    SELECT message_id, max(previous) AS previous FROM linked GROUP BY message_id
), counted AS (
    SELECT message_id, array_agg(term) AS terms, array_agg(tf) AS tfs
    FROM (
        SELECT message_id, term, tf FROM matched
        WHERE CASE WHEN message_id IN (SELECT message_id FROM pooled) THEN true ELSE false END -- hashed, never joined
        UNION ALL
        SELECT p.message_id, a.n, p.tf
        FROM asked a
        CROSS JOIN LATERAL (
            SELECT p.message_id, p.tf FROM postings p
            WHERE p.chat_id = $1 AND p.term = a.term AND p.message_id = ANY (ARRAY(SELECT message_id FROM pooled))
        ) AS p
        WHERE a.n = ANY ($22::int[])
    ) AS each
    GROUP BY message_id
)
SELECT m.chat_id, m.message_id, m.external_id, m.topic, m.sender_id, m.sender, m.persona, m.sent_at, m.edited_at,
       m.text, m.reply_to, m.forwarded_from, coalesce(m.session, m.message_id) AS session, m.terms AS length,
       m.message_id = ANY ($4::bigint[]) AS in_view, p.previous, s.words, s.vector, s.hit, c.terms, c.tfs,
       ARRAY(SELECT 1 - (v.embedding <=> q.vector) FROM unnest($5::vector[]) AS q (vector)) AS similarities
FROM pooled p
CROSS JOIN LATERAL (
    SELECT * FROM messages m WHERE m.chat_id = $1 AND m.message_id = p.message_id OFFSET 0
) AS m
LEFT JOIN LATERAL (
    SELECT v.embedding FROM {vectors} v WHERE v.chat_id = $1 AND v.message_id = p.message_id OFFSET 0
) AS v ON true
LEFT JOIN seeds s ON s.message_id = p.message_id
LEFT JOIN counted c ON c.message_id = p.message_id
ORDER BY m.sent_at, m.message_id;

-- name: near_by_scan
-- A part of recall_pool: looks at every vector in scope.
    SELECT q.n, best.message_id, best.sent_at, best.kind
    FROM queries q
    CROSS JOIN LATERAL (
        WITH measured AS MATERIALIZED (
            SELECT v.message_id, v.sent_at, v.embedding <=> q.vector AS distance
            FROM {vectors} v
            WHERE v.chat_id = $1 AND ($2::text IS NULL OR v.topic = $2) AND v.sent_at <= $3
                AND v.embedding IS NOT NULL AND v.message_id <> ALL ($4::bigint[])
                AND v.message_id NOT IN (SELECT message_id FROM others)
        )
        (SELECT message_id, sent_at, 'vector' AS kind FROM measured ORDER BY distance, sent_at DESC, message_id DESC LIMIT $11)
        UNION ALL
        (SELECT message_id, sent_at, 'hit'
         FROM measured
         WHERE 1 - distance > $6
         ORDER BY $7 * (1 - distance) + $8 * least(1, greatest(0, 1 - date_part('epoch', $3 - sent_at) / $9)) DESC,
                  sent_at DESC, message_id DESC
         LIMIT $10)
    ) AS best
    WHERE q.vector IS NOT NULL

-- name: near_by_index
-- A part of recall_pool: asks the index for the nearest of each query, 200 at least; {distance} is what it holds. How it
-- is asked is set for this statement alone: $38 names of settings, $39 their values. What is not among them is at most as
-- near as the last of them, so it has a better combined score than the last hit only if it is younger than can be
-- reckoned: those rows are looked at as well, the newest 20,000 of them at most.
    WITH settings AS MATERIALIZED (
        SELECT count(set_config(s.name, s.value, true)) FROM unnest($38::text[], $39::text[]) AS s (name, value)
    ), nearest AS MATERIALIZED (
        SELECT q.n, v.message_id, v.sent_at, v.similarity
        FROM settings
        CROSS JOIN queries q
        CROSS JOIN LATERAL (
            SELECT v.message_id, v.sent_at, 1 - (v.embedding <=> q.vector) AS similarity
            FROM {vectors} v
            WHERE CASE -- of which the planner thinks that half the table passes, whatever the number of chats
                WHEN v.chat_id = $1 AND ($2::text IS NULL OR v.topic = $2) AND v.sent_at <= $3
                    AND v.message_id <> ALL ($4::bigint[]) AND v.message_id NOT IN (SELECT message_id FROM others)
                    THEN true ELSE false
            END
            ORDER BY {distance}
            LIMIT greatest($10, $11, 200)
        ) AS v
        WHERE q.vector IS NOT NULL
    ), scored AS MATERIALIZED (
        SELECT n, message_id, sent_at, similarity,
               $7 * similarity + $8 * least(1, greatest(0, 1 - date_part('epoch', $3 - sent_at) / $9)) AS score
        FROM nearest
    ), bounds AS MATERIALIZED (
        -- The least time relevance that lifts a row that is as near as the last one to the score of the last hit.
        -- When fewer came than were asked for, the index gave up: what it would have found may be anywhere.
        SELECT n, CASE
            WHEN count(*) < greatest($10, $11, 200) THEN 0
            ELSE (coalesce((array_agg(score ORDER BY score DESC) FILTER (WHERE similarity > $6))[$10], 'infinity')
                  - $7 * min(similarity)) / nullif($8, 0)
        END AS relevance
        FROM scored
        GROUP BY n
    ), lifted AS MATERIALIZED (
        SELECT q.n, v.message_id, v.sent_at, v.similarity,
               $7 * v.similarity + $8 * least(1, greatest(0, 1 - date_part('epoch', $3 - v.sent_at) / $9)) AS score
        FROM bounds b
        JOIN queries q ON q.n = b.n
        CROSS JOIN LATERAL (
            SELECT v.message_id, v.sent_at, 1 - (v.embedding <=> q.vector) AS similarity
            FROM {vectors} v
            WHERE v.chat_id = $1 AND ($2::text IS NULL OR v.topic = $2)
                AND v.sent_at >= $3 - make_interval(secs => $9 * (1 - greatest(0, b.relevance))) AND v.sent_at <= $3
                AND v.embedding IS NOT NULL AND v.message_id <> ALL ($4::bigint[])
                AND v.message_id NOT IN (SELECT message_id FROM others)
            ORDER BY v.sent_at DESC
            LIMIT 20000
        ) AS v
        WHERE b.relevance <= 1
    )
    SELECT n, message_id, sent_at, 'vector' AS kind
    FROM (
        SELECT n, message_id, sent_at, row_number() OVER (PARTITION BY n ORDER BY similarity DESC, sent_at DESC, message_id DESC) AS rank
        FROM nearest
    ) AS ranked
    WHERE rank <= $11
    UNION ALL
    SELECT n, message_id, sent_at, 'hit'
    FROM (
        SELECT n, message_id, sent_at, row_number() OVER (PARTITION BY n ORDER BY score DESC, sent_at DESC, message_id DESC) AS rank
        FROM (
            SELECT n, message_id, sent_at, similarity, score FROM scored
            UNION SELECT n, message_id, sent_at, similarity, score FROM lifted
        ) AS all_of_them
        WHERE similarity > $6
    ) AS ranked
    WHERE rank <= $10
