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
-- All that may come to mind, for all queries. Arrays of one group have an entry for each of what the group is about.
-- Where:    $1 chat, $2 topic (NULL: all of the chat), $3 now, $4 ids in view, $31 as which persona (NULL: any): what another
--           said as the bot is not there.
-- Queries:  $5 vectors (some may be NULL), $25 weights of the first guess, a row each: words, words without names, covered,
--           meaning, similarity, length, sender, and at last how similar the chat as a whole is.
-- Combined: $6 threshold, $7 weight of similarity, $8 weight of time, $9 horizon in seconds, $10 hits of each query.
-- Reach:    for each query $11 messages that are looked at by vector, $12 by words, $23 seeds, the best of both by a first
--           guess; $13 neighbours a side.
-- Terms:    $14 terms, $40 the number of who is called so; $22 places (from 1) of those that are counted by looking at each
--           message that was found.
-- Finding:  for each term by which a query finds messages: $15 query, $16 place of the term, $17 weight, $24 share of what
--           the query says; $21 messages that are looked at for one term, the newest.
-- Named:    for each term of each query: $26 query, $38 the number of who is called so, $39 share of what the query says.
-- BM25:     $18 mean length of a message in terms, $19 k1, $20 b. A term stands for about 2.2 tokens.
-- Times:    for each that is asked about: $27 query, $28 first and $29 last moment, the last being no part of it, $30 what
--           it is worth to be sent then; $36 places of those in which messages are found by that, $37 how many, the newest.
-- Days:     for each term of a day that is asked about: $32 query, $33 the term, $34 what it is worth to speak of it,
--           $35 how many messages are looked at, the newest.
-- Nothing large is joined: the planner cannot know how many messages a word finds, and goes through all of them for each.
-- Messages are looked up one by one (OFFSET 0): a join would be planned once, while tables are small, as a scan of all of
-- them, and kept.
-- Rows, in order of time: a message that was found or stands beside one that was, its session and length; whether it is
-- in view; the message just before it in its topic, as far as known; the queries for which it is a seed found by words or
-- days, a seed found by vector, a hit; which of the terms it has, and how often; its similarity to each query.
WITH queries AS MATERIALIZED (
    SELECT q.n, q.vector FROM unnest($5::vector[]) WITH ORDINALITY AS q (vector, n)
), others AS MATERIALIZED (
    SELECT message_id FROM messages WHERE chat_id = $1 AND persona < $31::text
    UNION ALL SELECT message_id FROM messages WHERE chat_id = $1 AND persona > $31
), asked AS MATERIALIZED (
    SELECT a.n::int, a.term, a.speaker FROM unnest($14::text[], $40::int[]) WITH ORDINALITY AS a (term, speaker, n)
), matched AS MATERIALIZED (
    SELECT a.n AS term, p.message_id, p.sent_at, p.tf, p.length, p.speaker
    FROM asked a
    CROSS JOIN LATERAL (
        SELECT p.message_id, p.sent_at, p.tf, p.length, p.speaker
        FROM postings p
        WHERE p.chat_id = $1 AND p.term = a.term AND ($2::text IS NULL OR p.topic = $2) AND p.sent_at <= $3
        ORDER BY p.message_id DESC
        LIMIT $21
    ) AS p
    WHERE a.n = ANY ($16::int[])
), called AS MATERIALIZED ( -- who may be named by a query: of those of whom something was found it is known
    SELECT c.query AS n, c.speaker, c.share, c.speaker IN (SELECT speaker FROM matched) AS is_here
    FROM unnest($26::int[], $38::int[], $39::float8[]) AS c (query, speaker, share)
), apart AS MATERIALIZED ( -- names count apart where anything else is said
    SELECT n, sum(share) AS share FROM called WHERE is_here GROUP BY n HAVING sum(share) < 0.999
), guessing AS MATERIALIZED (
    SELECT n, w[n][1] AS words, w[n][2] AS plain, w[n][3] / (1 - coalesce(a.share, 0)) AS covered, w[n][4] AS meaning,
           w[n][5] AS similarity, w[n][6] AS length, w[n][7] AS sender, w[n][8] AS usual
    FROM (SELECT $25::float8[] AS w) AS weights
    CROSS JOIN LATERAL generate_series(1, coalesce(array_length(w, 1), 0)) AS n
    LEFT JOIN apart a USING (n)
), seeding AS MATERIALIZED (
    SELECT s.query AS n, s.term, s.weight, s.share,
           s.query IN (SELECT n FROM apart) AND a.speaker IN (SELECT speaker FROM called WHERE is_here) AS is_name
    FROM unnest($15::int[], $16::int[], $17::float8[], $24::float8[]) AS s (query, term, weight, share)
    JOIN asked a ON a.n = s.term
), of_days AS MATERIALIZED (
    SELECT d.query AS n, p.message_id, p.length, p.speaker, p.sent_at, d.worth
    FROM unnest($32::int[], $33::text[], $34::float8[]) AS d (query, term, worth)
    CROSS JOIN LATERAL (
        SELECT p.message_id, p.length, p.speaker, p.sent_at
        FROM postings p
        WHERE p.chat_id = $1 AND p.term = d.term AND ($2::text IS NULL OR p.topic = $2) AND p.sent_at <= $3
        ORDER BY p.message_id DESC
        LIMIT $35
    ) AS p
    UNION ALL
    SELECT ($27::int[])[s.place], m.message_id, m.terms, m.speaker, m.sent_at, 0
    FROM unnest($36::int[]) AS s (place)
    CROSS JOIN LATERAL (
        SELECT m.message_id, m.terms, m.speaker, m.sent_at
        FROM messages m
        WHERE m.chat_id = $1 AND ($2::text IS NULL OR m.topic = $2) AND m.sent_at >= ($28::timestamptz[])[s.place]
            AND m.sent_at < ($29::timestamptz[])[s.place] AND m.sent_at <= $3
        ORDER BY m.sent_at DESC
        LIMIT $37
    ) AS m
), near AS MATERIALIZED (
{near}
), gathered AS MATERIALIZED (
    SELECT n, message_id, max(length) AS length, max(speaker) AS speaker, sum(bm25) AS words,
           coalesce(sum(bm25) FILTER (WHERE NOT is_name), 0) AS plain,
           coalesce(sum(share) FILTER (WHERE NOT is_name), 0) AS covered, bool_or(near) AS near, bool_or(NOT near) AS said,
           greatest(max(worth), CASE WHEN cardinality($27::int[]) > 0 THEN (
               SELECT coalesce(max(e.worth), 0)
               FROM unnest($27::int[], $28::timestamptz[], $29::timestamptz[], $30::float8[])
                   AS e (query, first, until, worth)
               WHERE e.query = n AND max(each.sent_at) >= e.first AND max(each.sent_at) < e.until
           ) ELSE 0 END) AS dated
    FROM (
        SELECT s.n, m.message_id, m.length, m.speaker, m.sent_at, s.share, s.is_name, false AS near, 0 AS worth,
               s.weight * m.tf * ($19::float8 + 1)
                   / (m.tf + $19 * (1 - $20::float8 + $20 * m.length / $18::float8)) AS bm25
        FROM seeding s
        JOIN matched m USING (term)
        UNION ALL
        SELECT n, message_id, length, speaker, sent_at, 0, false, false, worth, 0 FROM of_days
        UNION ALL
        SELECT n, message_id, NULL, NULL, sent_at, 0, false, true, 0, 0 FROM near WHERE kind = 'vector'
    ) AS each
    GROUP BY n, message_id
), candidates AS (
    SELECT n, message_id, length, known, near AS vector, said AND rank <= $12 AS words
    FROM (
        SELECT *, row_number() OVER (PARTITION BY n ORDER BY said DESC, known DESC, message_id DESC) AS rank
        FROM (
            SELECT x.n, x.message_id, x.length, x.near, x.said,
                   coalesce(g.words * x.words / nullif(max(x.words) OVER (PARTITION BY x.n), 0), 0)
                       + coalesce(g.plain * x.plain / nullif(max(x.plain) OVER (PARTITION BY x.n), 0), 0)
                       + g.covered * x.covered + x.dated
                       + CASE WHEN (x.n, x.speaker) IN (SELECT n, speaker FROM called) THEN g.sender ELSE 0 END
                       + g.length * ln(1 + least(19, 2.2 * coalesce(x.length, 0)::float8)) AS known
            FROM gathered x
            JOIN guessing g USING (n)
            WHERE x.message_id <> ALL ($4::bigint[]) AND x.message_id NOT IN (SELECT message_id FROM others)
        ) AS x
    ) AS each
    WHERE near OR (said AND rank <= $12)
), measured AS (
    SELECT c.n, c.message_id, c.words, c.vector, v.similarity - g.usual AS nearness, g.meaning, g.similarity,
           c.known + g.length * ln(1 + least(19, 2.2 * coalesce(m.terms, 0)::float8))
               + CASE WHEN (c.n, m.speaker) IN (SELECT n, speaker FROM called) THEN g.sender ELSE 0 END AS guess
    FROM candidates c
    JOIN queries q ON q.n = c.n
    JOIN guessing g ON g.n = c.n
    LEFT JOIN LATERAL ( -- of what was found by its vector alone nothing is known yet
        SELECT m.terms, m.speaker FROM messages m
        WHERE c.length IS NULL AND m.chat_id = $1 AND m.message_id = c.message_id
        OFFSET 0
    ) AS m ON true
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
       m.text, m.reply_to, m.forwarded_from, m.emotion, coalesce(m.session, m.message_id) AS session, m.terms AS length,
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
-- is asked is set for this statement alone: $41 names of settings, $42 their values. What is not among them is at most as
-- near as the last of them, so it has a better combined score than the last hit only if it is younger than can be
-- reckoned: those rows are looked at as well, the newest 20,000 of them at most.
    WITH settings AS MATERIALIZED (
        SELECT count(set_config(s.name, s.value, true)) FROM unnest($41::text[], $42::text[]) AS s (name, value)
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
