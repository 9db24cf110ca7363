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

-- name: grown_chats
-- $1 model. Chats that were embedded a tenth further since it was told what they are like as a whole.
SELECT p.chat_id, p.through
FROM embedding_progress p
LEFT JOIN chat_vectors v ON v.model_id = p.model_id AND v.chat_id = p.chat_id
WHERE p.model_id = $1 AND p.through > 0 AND (v.through IS NULL OR p.through >= 1.1 * v.through)
ORDER BY p.chat_id;

-- name: newest_vectors
-- $1 chat, $2 how many. Topic by topic, in order of time.
SELECT topic, embedding
FROM (
    SELECT v.topic, v.sent_at, v.message_id, v.embedding FROM {vectors} v
    WHERE v.chat_id = $1 AND v.embedding IS NOT NULL
    ORDER BY v.sent_at DESC
    LIMIT $2
) AS newest
ORDER BY topic, sent_at, message_id;

-- name: keep_chat_vectors
-- $1 model, $2 chat, $3 how far it was embedded, $4 centroid, $5 coherence. No row when the chat is gone.
INSERT INTO chat_vectors (model_id, chat_id, through, centroid, coherence)
SELECT $1, chat_id, $3, $4, $5 FROM chats WHERE chat_id = $2
ON CONFLICT (model_id, chat_id) DO UPDATE
    SET through = EXCLUDED.through, centroid = EXCLUDED.centroid, coherence = EXCLUDED.coherence;
