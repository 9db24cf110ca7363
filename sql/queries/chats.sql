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

-- name: open_chat
-- $1 source, $2 title: the chat at that address, made when it is new. One row, also when two processes ask at once.
WITH known AS (
    SELECT chat_id FROM chat_addresses WHERE source = $1
), made AS (
    INSERT INTO chats (title) SELECT $2 WHERE NOT EXISTS (SELECT FROM known) RETURNING chat_id
), addressed AS (
    INSERT INTO chat_addresses (source, chat_id) SELECT $1, chat_id FROM made RETURNING chat_id
)
SELECT chat_id FROM known UNION ALL SELECT chat_id FROM addressed;

-- name: add_address
-- $1 source, $2 chat. An address that is taken stays where it is.
INSERT INTO chat_addresses (source, chat_id) VALUES ($1, $2) ON CONFLICT DO NOTHING;
