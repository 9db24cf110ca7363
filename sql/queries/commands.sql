-- name: take_command
-- $1 bot, $2 update, $3 chat, $4 source, $5 topic, $6 external id of its message, $7 what is asked. Its message counts as
-- read: a turn has nothing to answer there.
WITH message AS (
    UPDATE messages SET read_at = greatest(now(), sent_at), traceparent = NULL
    WHERE chat_id = $3 AND source = $4 AND external_id = $6 AND read_at IS NULL
)
INSERT INTO commands (bot_id, update_id, chat_id, source, topic, external_id, asked)
VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb)
ON CONFLICT DO NOTHING;

-- name: has_spoken
-- $1 chat. Whether the bot has said something there, or is about to.
SELECT EXISTS (SELECT FROM messages WHERE chat_id = $1 AND persona IS NOT NULL)
    OR EXISTS (SELECT FROM outbox WHERE chat_id = $1)
    OR EXISTS (SELECT FROM commands WHERE chat_id = $1 AND asked ->> 'command' = 'start') AS spoken;

-- name: claim_command
-- $1 bot, $2 claim, $3 seconds of lease. The one that is due first, held; those of a chat go one after the other. No row
-- when none is due.
UPDATE commands SET claim = $2, lease_until = now() + make_interval(secs => $3), attempts = attempts + 1
WHERE (bot_id, update_id) = (
    SELECT c.bot_id, c.update_id FROM commands c
    WHERE c.bot_id = $1 AND c.due_at <= now() AND (c.lease_until IS NULL OR c.lease_until < now())
        AND NOT EXISTS (
            SELECT FROM commands before
            WHERE before.chat_id = c.chat_id AND before.bot_id = $1
                AND (before.queued_at, before.update_id) < (c.queued_at, c.update_id)
        )
    ORDER BY c.due_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING bot_id, update_id, chat_id, source, topic, external_id, asked, attempts;

-- name: next_command
-- $1 bot. Seconds until the next one that is nobody's is due; no row when there is none.
SELECT greatest(0, extract(epoch FROM min(greatest(due_at, lease_until)) - now()))::float8 AS seconds
FROM commands WHERE bot_id = $1
HAVING count(*) > 0;

-- name: command_later
-- $1 bot, $2 update, $3 claim, $4 seconds, $5 attempts that do not count. It was not carried out: again later.
UPDATE commands SET claim = NULL, lease_until = NULL, due_at = now() + make_interval(secs => $4), attempts = attempts - $5
WHERE bot_id = $1 AND update_id = $2 AND claim = $3;

-- name: end_command
-- $1 bot, $2 update, $3 claim. A row when it was still held so: what it changes is kept with this, or not at all.
DELETE FROM commands WHERE bot_id = $1 AND update_id = $2 AND claim = $3 RETURNING chat_id;

-- name: say_apart
-- What the bot says without a turn of its own, put into the outbox: $1 chat, $2 turn, $3 topic, $4 trace, $5 persona,
-- $6 now, $7 what was done, $8 source, $9 texts, $10 external id of the message that the first of them answers (NULL:
-- none), $11 traceparent, $12 the card whose picture goes with the first (NULL: none). A row in `turns` says where it is
-- from.
WITH turn AS (
    INSERT INTO turns (chat_id, turn_id, topic, trace_id, persona, started_at, outcome, inputs, account)
    VALUES ($1, $2, $3, $4, $5, $6, 'carried out', jsonb_build_object('actions', jsonb_build_array($7::text)),
            '{"notes": [], "steps": []}')
    RETURNING turn_id
)
INSERT INTO outbox (chat_id, turn_id, n, source, topic, persona, text, reply_to, traceparent, picture)
SELECT $1, turn_id, b.n, $8, $3, $5, b.text, CASE WHEN b.n = 1 THEN (
    SELECT m.message_id FROM messages m WHERE m.chat_id = $1 AND m.source = $8 AND m.external_id = $10
) END, $11, CASE WHEN b.n = 1 THEN $12::text END
FROM turn CROSS JOIN unnest($9::text[]) WITH ORDINALITY AS b (text, n);
