-- name: create_chat
-- $1 title.
INSERT INTO chats (title) VALUES ($1) RETURNING chat_id;

-- name: find_chat
-- $1 chat. No row when there is none of that number.
SELECT chat_id, title, timezone, last_message_id AS messages FROM chats WHERE chat_id = $1;

-- name: list_chats
SELECT chat_id, title, timezone, last_message_id AS messages FROM chats ORDER BY chat_id;

-- name: chat_at
-- $1 source: the chat at that address.
SELECT chat_id FROM chat_addresses WHERE source = $1;

-- name: live_address
-- $1 a pattern such as 'telegram:%:-1001234': the first live address that fits, with its chat.
SELECT source, chat_id FROM chat_addresses WHERE source LIKE $1 ORDER BY source LIMIT 1;

-- name: lock_export
-- $1 address of what was exported of a chat: until the end of the transaction, nobody else adopts it.
SELECT pg_advisory_xact_lock(hashtextextended($1, 0));

-- name: open_chat
-- $1 source, $2 title, $3 address of what was exported of it (NULL: nothing could be). The chat at $1. When that is new:
-- the chat at $3, unless a bot reads that already; else a new one. One row, also when two processes ask at once; two bots
-- must hold `lock_export`, or both would see that no bot reads the chat.
WITH known AS (
    SELECT chat_id FROM chat_addresses WHERE source = $1
), exported AS (
    SELECT e.chat_id FROM chat_addresses e
    WHERE e.source = $3::text AND NOT EXISTS (SELECT FROM known)
        AND NOT EXISTS (
            SELECT FROM chat_addresses live WHERE live.chat_id = e.chat_id AND starts_with(live.source, 'telegram:')
        )
), made AS (
    INSERT INTO chats (title)
    SELECT $2 WHERE NOT EXISTS (SELECT FROM known) AND NOT EXISTS (SELECT FROM exported)
    RETURNING chat_id
), addressed AS (
    INSERT INTO chat_addresses (source, chat_id)
    SELECT $1, chat_id FROM (SELECT chat_id FROM exported UNION ALL SELECT chat_id FROM made) AS there
    RETURNING chat_id
)
SELECT chat_id FROM known UNION ALL SELECT chat_id FROM addressed;

-- name: adopt_messages
-- $1 chat, $2 address of what was exported of it, $3 its live address, $4 how many at most. Messages with the ids of the
-- live address become its own, so that each is known by its id however it comes again. Gives those that did.
UPDATE messages m SET source = $3
WHERE m.chat_id = $1 AND m.message_id = ANY (ARRAY(
    SELECT e.message_id FROM messages e
    WHERE e.chat_id = $1 AND e.source = $2 AND NOT EXISTS (
        SELECT FROM messages live WHERE live.chat_id = $1 AND live.source = $3 AND live.external_id = e.external_id
    )
    LIMIT $4
    FOR UPDATE OF e SKIP LOCKED
))
RETURNING m.message_id;

-- name: add_address
-- $1 source, $2 chat. An address that is taken stays where it is.
INSERT INTO chat_addresses (source, chat_id) VALUES ($1, $2) ON CONFLICT DO NOTHING;
