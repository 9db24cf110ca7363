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
-- $11 seeds by vector, $12 seeds by words; $13 neighbours a side; $14 terms; one array a column, for each term by which a
-- query finds messages: $15 query, $16 place among the terms (from 1), $17 weight; $18 mean length of a message in terms,
-- $19 k1, $20 b, $21 messages that are looked at for one term, the newest; $22 places of the terms that are counted by
-- looking at each message that was found.
-- Rows, in order of time: a message that was found or stands beside one that was, its session and length; whether it is in
-- view; the message just before it in its topic, as far as known; the queries for which it is a seed by words, a seed by
-- vector, a hit; which of the terms it has, and how often; its similarity to each query. Messages are looked up one by one
-- (OFFSET 0): a join would be planned once, while tables are small, as a scan of all of them, and kept.
WITH queries AS MATERIALIZED (
    SELECT q.n, q.vector FROM unnest($5::vector[]) WITH ORDINALITY AS q (vector, n)
), asked AS MATERIALIZED (
    SELECT a.n::int, a.term FROM unnest($14::text[]) WITH ORDINALITY AS a (term, n)
), matched AS MATERIALIZED (
    SELECT a.n AS term, p.message_id, p.tf, p.length
    FROM asked a
    CROSS JOIN LATERAL (
        SELECT p.message_id, p.tf, p.length
        FROM postings p
        WHERE p.chat_id = $1 AND p.term = a.term AND ($2::text IS NULL OR p.topic = $2) AND p.sent_at <= $3
        ORDER BY p.message_id DESC
        LIMIT $21
    ) AS p
    WHERE a.n = ANY ($16::int[])
), by_words AS (
    SELECT n, message_id
    FROM (
        SELECT n, message_id, row_number() OVER (PARTITION BY n ORDER BY score DESC, message_id DESC) AS rank
        FROM (
            SELECT s.query AS n, m.message_id,
                   sum(s.weight * m.tf * ($19::float8 + 1)
                       / (m.tf + $19 * (1 - $20::float8 + $20 * m.length / $18::float8))) AS score
            FROM unnest($15::int[], $16::int[], $17::float8[]) AS s (query, term, weight)
            JOIN matched m USING (term)
            WHERE m.message_id <> ALL ($4::bigint[])
            GROUP BY s.query, m.message_id
        ) AS scored
    ) AS ranked
    WHERE rank <= $12
), near AS (
{near}
), seeds AS MATERIALIZED (
    SELECT message_id, array_agg(n) FILTER (WHERE kind = 'words') AS words,
           array_agg(n) FILTER (WHERE kind = 'vector') AS vector, array_agg(n) FILTER (WHERE kind = 'hit') AS hit
    FROM (SELECT n, message_id, 'words' AS kind FROM by_words UNION ALL SELECT n, message_id, kind FROM near) AS each
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
         ORDER BY m.sent_at DESC, m.message_id DESC LIMIT $13)
        UNION ALL
        (SELECT seed.sent_at, seed.message_id)
        UNION ALL
        (SELECT m.sent_at, m.message_id FROM messages m
         WHERE m.chat_id = $1 AND m.topic = seed.topic AND (m.sent_at, m.message_id) > (seed.sent_at, seed.message_id)
            AND m.sent_at <= $3
         ORDER BY m.sent_at, m.message_id LIMIT $13)
    ) AS c
), pooled AS MATERIALIZED (
    SELECT message_id, max(previous) AS previous FROM linked GROUP BY message_id
), counted AS (
    SELECT message_id, array_agg(term) AS terms, array_agg(tf) AS tfs
    FROM (
        SELECT message_id, term, tf FROM matched
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
       (SELECT array_agg(1 - (v.embedding <=> q.vector) ORDER BY q.n) FROM queries q) AS similarities
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
-- A part of recall_pool: looks at every vector in scope, once for the seeds and once for the hits; what is asked for none
-- of costs nothing.
    SELECT q.n, best.message_id, best.kind
    FROM queries q
    CROSS JOIN LATERAL (
        (SELECT message_id, 'vector' AS kind
         FROM (
             SELECT v.message_id, v.sent_at, v.embedding <=> q.vector AS distance
             FROM {vectors} v
             WHERE v.chat_id = $1 AND ($2::text IS NULL OR v.topic = $2) AND v.sent_at <= $3
                 AND v.embedding IS NOT NULL AND v.message_id <> ALL ($4::bigint[])
             OFFSET 0 -- keeps the order from being taken from an index
         ) AS measured
         ORDER BY distance, sent_at DESC, message_id DESC LIMIT $11)
        UNION ALL
        (SELECT message_id, 'hit'
         FROM (
             SELECT v.message_id, v.sent_at, 1 - (v.embedding <=> q.vector) AS similarity
             FROM {vectors} v
             WHERE v.chat_id = $1 AND ($2::text IS NULL OR v.topic = $2) AND v.sent_at <= $3
                 AND v.embedding IS NOT NULL AND v.message_id <> ALL ($4::bigint[])
             OFFSET 0 -- keeps the distance from being reckoned again for the threshold and for the score
         ) AS measured
         WHERE similarity > $6
         ORDER BY $7 * similarity + $8 * least(1, greatest(0, 1 - date_part('epoch', $3 - sent_at) / $9)) DESC,
                  sent_at DESC, message_id DESC
         LIMIT $10)
    ) AS best
    WHERE q.vector IS NOT NULL

-- name: near_by_index
-- A part of recall_pool: asks the index for the nearest of each query, 200 at least; {distance} is what it holds. How it
-- is asked is set for this statement alone: $23 names of settings, $24 their values. What is not among them is at most as
-- near as the last of them, so it has a better combined score than the last hit only if it is younger than can be
-- reckoned: those rows are looked at as well, the newest 20,000 of them at most.
    WITH settings AS MATERIALIZED (
        SELECT count(set_config(s.name, s.value, true)) FROM unnest($23::text[], $24::text[]) AS s (name, value)
    ), nearest AS MATERIALIZED (
        SELECT q.n, v.message_id, v.sent_at, v.similarity
        FROM settings
        CROSS JOIN queries q
        CROSS JOIN LATERAL (
            SELECT v.message_id, v.sent_at, 1 - (v.embedding <=> q.vector) AS similarity
            FROM {vectors} v
            WHERE CASE -- of which the planner thinks that half the table passes, whatever the number of chats
                WHEN v.chat_id = $1 AND ($2::text IS NULL OR v.topic = $2) AND v.sent_at <= $3
                    AND v.message_id <> ALL ($4::bigint[]) THEN true ELSE false
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
            ORDER BY v.sent_at DESC
            LIMIT 20000
        ) AS v
        WHERE b.relevance <= 1
    )
    SELECT n, message_id, 'vector' AS kind
    FROM (
        SELECT n, message_id, row_number() OVER (PARTITION BY n ORDER BY similarity DESC, sent_at DESC, message_id DESC) AS rank
        FROM nearest
    ) AS ranked
    WHERE rank <= $11
    UNION ALL
    SELECT n, message_id, 'hit'
    FROM (
        SELECT n, message_id, row_number() OVER (PARTITION BY n ORDER BY score DESC, sent_at DESC, message_id DESC) AS rank
        FROM (
            SELECT n, message_id, sent_at, similarity, score FROM scored
            UNION SELECT n, message_id, sent_at, similarity, score FROM lifted
        ) AS all_of_them
        WHERE similarity > $6
    ) AS ranked
    WHERE rank <= $10
