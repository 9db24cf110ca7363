-- name: search_messages
-- $1 chat, $2 topic (NULL: all of the chat), $3 query vectors, $4 now, $5 ids to leave out, $6 threshold,
-- $7 weight of similarity, $8 weight of time, $9 horizon in seconds, $10 hits a query, $11 neighbours a side.
-- The combined score of every message in scope; each hit with what was said around it in the same topic.
-- Rows: n (which query), hit (the hit's id), then a message, which is the hit itself or of its window.
WITH queries AS (
    SELECT q.n, q.vector FROM unnest($3::vector[]) WITH ORDINALITY AS q (vector, n)
), hits AS (
    SELECT q.n, best.*
    FROM queries q
    CROSS JOIN LATERAL (
        SELECT scored.*, $7 * scored.similarity + $8 * scored.time_relevance AS score
        FROM (
            SELECT v.message_id, v.topic, v.sent_at, 1 - (v.embedding <=> q.vector) AS similarity,
                   least(1, greatest(0, 1 - date_part('epoch', $4 - v.sent_at) / $9)) AS time_relevance
            FROM {vectors} v
            WHERE v.chat_id = $1 AND ($2::text IS NULL OR v.topic = $2) AND v.sent_at <= $4
                AND v.embedding IS NOT NULL AND v.message_id <> ALL ($5::bigint[])
            OFFSET 0 -- keeps the distance from being reckoned again for the threshold and for the score
        ) AS scored
        WHERE scored.similarity > $6
        ORDER BY score DESC, scored.sent_at DESC, scored.message_id DESC
        LIMIT $10
    ) AS best
)
SELECT h.n, h.message_id AS hit, h.similarity, h.time_relevance, h.score,
       m.chat_id, m.message_id, m.external_id, m.topic, m.sender_id, m.sender, m.persona, m.sent_at, m.edited_at,
       m.text, m.reply_to, m.forwarded_from
FROM hits h
CROSS JOIN LATERAL (
    (SELECT m.* FROM messages m
     WHERE m.chat_id = $1 AND m.topic = h.topic AND (m.sent_at, m.message_id) < (h.sent_at, h.message_id)
     ORDER BY m.sent_at DESC, m.message_id DESC LIMIT $11)
    UNION ALL
    (SELECT m.* FROM messages m WHERE m.chat_id = $1 AND m.message_id = h.message_id)
    UNION ALL
    (SELECT m.* FROM messages m
     WHERE m.chat_id = $1 AND m.topic = h.topic AND (m.sent_at, m.message_id) > (h.sent_at, h.message_id)
        AND m.sent_at <= $4
     ORDER BY m.sent_at, m.message_id LIMIT $11)
) AS m
WHERE m.message_id = h.message_id OR m.message_id <> ALL ($5::bigint[])
ORDER BY h.n, h.score DESC, h.sent_at DESC, h.message_id DESC, m.sent_at, m.message_id;

-- name: open_model
-- $1 name, $2 dimension, $3 threshold for a new one.
WITH made AS (
    INSERT INTO embedding_models (name, dimension, threshold) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING
    RETURNING *
)
SELECT model_id, name, dimension, threshold FROM made
UNION ALL
SELECT model_id, name, dimension, threshold FROM embedding_models WHERE name = $1 AND dimension = $2
LIMIT 1;

-- name: list_models
SELECT model_id, name, dimension, threshold FROM embedding_models ORDER BY model_id;

-- name: to_embed
-- $1 model, $2 how many. What no vector was made of yet: in each chat all that lies beyond its progress.
SELECT m.chat_id, m.message_id, m.topic, m.sender, m.sent_at, m.text
FROM chats c
LEFT JOIN embedding_progress p ON p.model_id = $1 AND p.chat_id = c.chat_id
CROSS JOIN LATERAL (
    SELECT * FROM messages m
    WHERE m.chat_id = c.chat_id AND m.message_id > coalesce(p.through, 0)
    ORDER BY m.message_id
    LIMIT $2
) AS m
WHERE c.last_message_id > coalesce(p.through, 0)
ORDER BY m.chat_id, m.message_id
LIMIT $2;

-- name: count_to_embed
-- $1 model. Counted, not reckoned from numbers: two imports of one file at once leave gaps in those.
SELECT count(*)
FROM chats c
LEFT JOIN embedding_progress p ON p.model_id = $1 AND p.chat_id = c.chat_id
JOIN messages m ON m.chat_id = c.chat_id AND m.message_id > coalesce(p.through, 0)
WHERE c.last_message_id > coalesce(p.through, 0);

-- name: keep_vectors
-- $1 model, then one array a column: $2 chat, $3 message, $4 topic, $5 sent at, $6 vector (NULL: the model will never
-- take this text). Moves the progress of each chat along.
WITH given AS (
    SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::vector[])
        AS g (chat_id, message_id, topic, sent_at, embedding)
), moved AS (
    INSERT INTO embedding_progress (model_id, chat_id, through)
    SELECT $1, chat_id, max(message_id) FROM given GROUP BY chat_id ORDER BY chat_id
    ON CONFLICT (model_id, chat_id) DO UPDATE SET through = greatest(embedding_progress.through, EXCLUDED.through)
)
INSERT INTO {vectors} (chat_id, message_id, topic, sent_at, embedding)
SELECT g.chat_id, g.message_id, g.topic, g.sent_at, g.embedding
FROM given g
ON CONFLICT DO NOTHING;

-- name: count_vectors
SELECT count(*) FILTER (WHERE embedding IS NOT NULL) AS embedded, count(*) FILTER (WHERE embedding IS NULL) AS refused
FROM {vectors};
