-- Of what waits to be sent, the first of each topic goes: one that has to wait holds up its own topic only.
DROP INDEX outbox_under_way;
CREATE INDEX outbox_under_way ON outbox (chat_id, topic, queued_at, turn_id, n) WHERE state IN ('waiting', 'sending');

-- Telegram asked for quiet there. No process sends anything to such a place before, whenever it was said.
CREATE TABLE quiet_places (
    source text PRIMARY KEY,
    until  timestamptz NOT NULL
);

-- As before, but of two bots in one chat none takes the other's copy of a message for its own: it would answer to nothing.
CREATE OR REPLACE FUNCTION known_message(chat_id bigint, source text, external_id text, sender_id text, sender text,
                                         sent_at timestamptz, words text)
RETURNS TABLE (message_id bigint)
LANGUAGE sql STABLE AS $$
    SELECT m.message_id FROM messages m WHERE m.chat_id = $1 AND m.source = $2 AND m.external_id = $3
    UNION ALL
    SELECT m.message_id FROM messages m
    WHERE m.chat_id = $1 AND m.sent_at = $6 AND m.source <> $2 AND m.text = $7
        AND (m.sender_id = $4 OR m.sender = $5)
        AND NOT (starts_with(m.source, 'telegram:') AND starts_with($2, 'telegram:')
                 AND split_part(m.source, ':', 2) <> split_part($2, ':', 2))
$$;
