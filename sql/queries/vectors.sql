-- name: open_model
-- $1 name, $2 dimension; for a new one $3 threshold, $4 whether that is told, $5 whether its server is asked for that
-- dimension, $6 what goes before a query, $7 before a passage.
WITH made AS (
    INSERT INTO embedding_models
        (name, dimension, threshold, threshold_told, asks_dimension, query_prefix, passage_prefix)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT DO NOTHING
    RETURNING *
)
SELECT * FROM made UNION ALL SELECT * FROM embedding_models WHERE name = $1 AND dimension = $2 LIMIT 1;

-- name: list_models
-- $1 state (NULL: any). At most one is `in use`, and one `building`.
SELECT * FROM embedding_models WHERE $1::text IS NULL OR state = $1 ORDER BY model_id;

-- name: models_there
-- Until the transaction ends none of their tables is dropped.
SELECT model_id FROM embedding_models ORDER BY model_id FOR KEY SHARE;

-- name: lock_models
-- Two that change states do so one behind the other. Who reads, or keeps vectors, does not wait.
SELECT model_id FROM embedding_models ORDER BY model_id FOR NO KEY UPDATE;

-- name: first_model
-- $1 model: it is in use from now on, if none is.
UPDATE embedding_models SET state = 'in use', since = now()
WHERE model_id = $1 AND NOT EXISTS (SELECT FROM embedding_models WHERE state = 'in use');

-- name: give_up_building
-- $1 model that may go on (NULL: none). What was kept before is kept again.
UPDATE embedding_models
SET state = CASE WHEN spared THEN 'kept' ELSE 'leaving' END, since = now(), waits_for = '{}'
WHERE state = 'building' AND model_id IS DISTINCT FROM $1;

-- name: build_model
-- $1 model, $2 whether what it replaces is kept. A row unless it is in use, or gone.
UPDATE embedding_models
SET state = 'building', since = CASE state WHEN 'building' THEN since ELSE now() END, keeps_old = $2,
    spared = spared OR state = 'kept'
WHERE model_id = $1 AND state <> 'in use'
RETURNING model_id;

-- name: is_whole
-- $1 model, $2 how many messages it may lack. It has all, or lacks a few that came or were edited just now: none that the
-- one in use has.
SELECT lacking.count = 0 OR lacking.count <= $2::bigint AND NOT EXISTS (
    SELECT FROM embedding_models u
    JOIN embedding_progress o ON o.model_id = u.model_id
    LEFT JOIN embedding_progress n ON n.model_id = $1 AND n.chat_id = o.chat_id
    WHERE u.state = 'in use' AND o.through > coalesce(n.through, 0)
) AND NOT EXISTS (
    SELECT FROM to_embed_again a
    WHERE a.model_id = $1 AND NOT EXISTS (
        SELECT FROM embedding_models u
        JOIN to_embed_again o ON o.model_id = u.model_id
        WHERE u.state = 'in use' AND o.chat_id = a.chat_id AND o.message_id = a.message_id
    )
) AS whole
FROM (
    SELECT count(*) FROM (
        (SELECT FROM chats c
         LEFT JOIN embedding_progress p ON p.model_id = $1 AND p.chat_id = c.chat_id
         JOIN messages m ON m.chat_id = c.chat_id AND m.message_id > coalesce(p.through, 0)
         WHERE c.last_message_id > coalesce(p.through, 0)
         LIMIT $2::bigint + 1)
        UNION ALL
        (SELECT FROM to_embed_again WHERE model_id = $1 LIMIT $2::bigint + 1)
    ) AS few
) AS lacking;

-- name: retire_model
-- $1 what comes instead. The one in use gives way; the turns that hold a lane now may still search in it.
UPDATE embedding_models
SET state = CASE WHEN (SELECT keeps_old FROM embedding_models WHERE model_id = $1) THEN 'kept' ELSE 'leaving' END,
    since = now(), waits_for = ARRAY(SELECT claim FROM lanes WHERE claim IS NOT NULL AND lease_until > now())
WHERE state = 'in use' AND model_id <> $1
RETURNING name || '/' || dimension AS known_as, instead_of;

-- name: use_model
-- $1 model that is being built, $2 what gave way for it and before it, as name/dimension.
UPDATE embedding_models
SET state = 'in use', since = now(), spared = false, keeps_old = false,
    instead_of = array_remove($2::text[], name || '/' || dimension)
WHERE model_id = $1 AND state = 'building'
RETURNING model_id;

-- name: leaving_models
-- $1 seconds that a turn may take which holds no lane. Those that are to be dropped, and whether no turn needs them now.
SELECT model_id,
       since < now() - make_interval(secs => $1) AND NOT EXISTS (
           SELECT FROM lanes l WHERE l.claim = ANY (waits_for) AND l.lease_until > now()
       ) AS free
FROM embedding_models WHERE state = 'leaving' ORDER BY model_id;

-- name: limit_lock_wait
-- Until the transaction ends: to drop a table locks `messages`, and while that is waited for, others wait behind it.
SELECT set_config('lock_timeout', '500ms', true);

-- name: drop_vectors
DROP TABLE IF EXISTS {vectors};

-- name: forget_model
-- $1 model, with its progress.
DELETE FROM embedding_models WHERE model_id = $1 AND state = 'leaving' RETURNING model_id;

-- name: index_of_vectors
-- $1 name of an index. Its method and operators; whether it is whole, and if not whether somebody works on it. No row when
-- it is not there.
SELECT format('%s, %s', m.amname, o.opcname) AS kind, i.indisvalid AS whole,
       EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.relid = i.indrelid) AS under_way
FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid
JOIN pg_am m ON m.oid = c.relam
JOIN pg_opclass o ON o.oid = i.indclass[0]
WHERE i.indexrelid = to_regclass($1);

-- name: set_threshold
-- $1 model, $2 threshold, $3 whether it is set whatever was told before.
UPDATE embedding_models SET threshold = $2, threshold_told = true WHERE model_id = $1 AND ($3 OR NOT threshold_told);

-- name: some_vectors
-- $1 how many at most. Messages with their vectors from all over the table, a different text each, and the sessions that
-- they are in; the same ones while the table stays the same. Of a large table only some pages are read.
SELECT DISTINCT ON (m.text) m.chat_id, m.message_id, m.topic, m.sender, m.sent_at, m.text,
       coalesce(m.session, m.message_id) AS session, v.embedding
FROM (
    SELECT * FROM {vectors} TABLESAMPLE SYSTEM (
        least(100, 100.0 * (100 + 3 * $1::bigint) * current_setting('block_size')::int
                   / greatest(1, pg_relation_size(to_regclass('{vectors}'))))
    ) REPEATABLE (1)
    WHERE embedding IS NOT NULL
    ORDER BY hashint8extended(message_id, chat_id), chat_id, message_id
    LIMIT $1
) AS v
JOIN messages m USING (chat_id, message_id)
ORDER BY m.text, m.chat_id, m.message_id;

-- name: to_embed
-- $1 model, $2 how many. What no vector was made of yet: in each chat all that lies beyond its progress, and what was
-- edited before it.
(SELECT m.chat_id, m.message_id, m.topic, m.sender, m.sent_at, m.text
 FROM to_embed_again a
 JOIN embedding_progress p ON p.model_id = $1 AND p.chat_id = a.chat_id AND p.through >= a.message_id
 JOIN messages m ON m.chat_id = a.chat_id AND m.message_id = a.message_id
 WHERE a.model_id = $1
 LIMIT $2)
UNION ALL
(SELECT m.chat_id, m.message_id, m.topic, m.sender, m.sent_at, m.text
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
 LIMIT $2)
LIMIT $2;

-- name: count_to_embed
-- $1 model. Counted, not reckoned from numbers: two imports of one file at once leave gaps in those.
SELECT (
    SELECT count(*)
    FROM chats c
    LEFT JOIN embedding_progress p ON p.model_id = $1 AND p.chat_id = c.chat_id
    JOIN messages m ON m.chat_id = c.chat_id AND m.message_id > coalesce(p.through, 0)
    WHERE c.last_message_id > coalesce(p.through, 0)
) + (
    SELECT count(*)
    FROM to_embed_again a
    JOIN embedding_progress p ON p.model_id = $1 AND p.chat_id = a.chat_id AND p.through >= a.message_id
    WHERE a.model_id = $1
);

-- name: keep_vectors
-- $1 model, then one array a column: $2 chat, $3 message, $4 topic, $5 sent at, $6 text that was embedded, $7 vector (NULL:
-- the model will never take this text). Moves the progress of each chat along. What was edited meanwhile is not kept, and
-- is to be embedded again; an edit under way is waited for.
WITH given AS (
    SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6::text[], $7::vector[])
        AS g (chat_id, message_id, topic, sent_at, text, embedding)
), same AS MATERIALIZED (
    SELECT g.chat_id, g.message_id, g.topic, g.sent_at, g.embedding
    FROM given g JOIN messages m USING (chat_id, message_id)
    WHERE m.text = g.text
    ORDER BY g.chat_id, g.message_id
    FOR SHARE OF m
), moved AS (
    INSERT INTO embedding_progress (model_id, chat_id, through)
    SELECT $1, chat_id, max(message_id) FROM given GROUP BY chat_id ORDER BY chat_id
    ON CONFLICT (model_id, chat_id) DO UPDATE SET through = greatest(embedding_progress.through, EXCLUDED.through)
), done AS (
    DELETE FROM to_embed_again a USING same s
    WHERE a.model_id = $1 AND a.chat_id = s.chat_id AND a.message_id = s.message_id
), again AS (
    INSERT INTO to_embed_again (model_id, chat_id, message_id)
    SELECT $1, m.chat_id, m.message_id
    FROM given g JOIN messages m USING (chat_id, message_id)
    WHERE NOT EXISTS (SELECT FROM same s WHERE s.chat_id = g.chat_id AND s.message_id = g.message_id)
    ON CONFLICT DO NOTHING
)
INSERT INTO {vectors} (chat_id, message_id, topic, sent_at, embedding)
SELECT s.chat_id, s.message_id, s.topic, s.sent_at, s.embedding
FROM same s
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
