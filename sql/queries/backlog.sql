-- What waits to be done, for whoever watches over the bot. Each part reads an index that holds little else.

-- name: backlog
-- $1 model. Turns that are due and nobody's, and for how many seconds the first has been; messages that no turn has read;
-- updates that were put aside in the last hour; bubbles on their way out, and for how many seconds the first has been;
-- messages without a vector of this model.
SELECT turns, turns_age, outbox, outbox_age,
    (SELECT count(*) FROM messages WHERE read_at IS NULL) AS unread,
    (SELECT count(*) FROM inbox WHERE received_at > now() - interval '1 hour' AND state = 'quarantined') AS quarantined,
    (SELECT count(*) FROM chats c
        LEFT JOIN embedding_progress p ON p.model_id = $1 AND p.chat_id = c.chat_id
        JOIN messages m ON m.chat_id = c.chat_id AND m.message_id > coalesce(p.through, 0)
        WHERE c.last_message_id > coalesce(p.through, 0)) AS embedding
FROM (
    SELECT count(*) AS turns,
        coalesce(extract(epoch FROM now() - min(greatest(due_at, rests_until))), 0)::float8 AS turns_age
    FROM lanes
    WHERE due_at <= now() AND (lease_until IS NULL OR lease_until < now())
        AND (rests_until IS NULL OR rests_until <= now())
) AS due, (
    SELECT count(*) AS outbox, coalesce(extract(epoch FROM now() - min(queued_at)), 0)::float8 AS outbox_age
    FROM outbox WHERE state IN ('waiting', 'sending')
) AS leaving;
