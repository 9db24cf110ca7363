-- name: next_bubble
-- $1 owner, $2 seconds of lease, $3 with what the addresses of the bot begin, $4 sources of which enough are under way.
-- Holds, for its typing, the first bubble of a topic in which the bot has nothing under way: what it says there goes out in
-- order. It is still `waiting`: whoever dies here has sent nothing. The first of a topic is looked up row by row: a join
-- would be planned once, while the table is small, and kept.
UPDATE outbox SET owner = $1, lease_until = now() + make_interval(secs => $2)
WHERE (chat_id, turn_id, n) = (
    SELECT o.chat_id, o.turn_id, o.n FROM outbox o
    WHERE o.state = 'waiting' AND o.due_at <= now() AND (o.lease_until IS NULL OR o.lease_until < now())
        AND starts_with(o.source, $3) AND o.source <> ALL ($4::text[])
        AND NOT EXISTS (SELECT FROM quiet_places q WHERE q.source = o.source AND q.until > now())
        AND (o.turn_id, o.n) = (
            SELECT first.turn_id, first.n FROM outbox first
            WHERE first.chat_id = o.chat_id AND first.topic = o.topic AND first.state IN ('waiting', 'sending')
                AND starts_with(first.source, $3)
            ORDER BY first.queued_at, first.turn_id, first.n
            LIMIT 1
        )
    ORDER BY o.due_at
    LIMIT 1
    FOR UPDATE OF o SKIP LOCKED
)
RETURNING chat_id, turn_id, n, source, topic, persona, text, attempts, traceparent, picture, emotion,
    (SELECT external_id FROM messages m WHERE m.chat_id = outbox.chat_id AND m.message_id = outbox.reply_to
        AND m.source = outbox.source) AS reply_to;

-- name: next_bubble_in
-- $1 with what the addresses of the bot begin, $2 sources of which enough are under way. Seconds until its next bubble may
-- go; no row when none waits. Only the first of each topic counts: the others wait for it.
SELECT greatest(0, extract(epoch FROM min(greatest(due_at, lease_until, until)) - now()))::float8 AS seconds
FROM (
    SELECT DISTINCT ON (chat_id, topic) source, due_at, lease_until, state FROM outbox
    WHERE state IN ('waiting', 'sending') AND starts_with(source, $1)
    ORDER BY chat_id, topic, queued_at, turn_id, n
) AS first
LEFT JOIN quiet_places USING (source)
WHERE state = 'waiting' AND source <> ALL ($2::text[])
HAVING count(*) > 0;

-- name: begin_sending
-- $1 chat, $2 turn, $3 n, $4 owner, $5 seconds of lease, $6 how old it may be, in seconds. A row when it may be sent now, by
-- this owner, for the first time.
UPDATE outbox SET state = 'sending', attempts = attempts + 1, lease_until = now() + make_interval(secs => $5)
WHERE chat_id = $1 AND turn_id = $2 AND n = $3 AND owner = $4 AND state = 'waiting'
    AND queued_at >= now() - make_interval(secs => $6)
    AND NOT EXISTS (SELECT FROM quiet_places q WHERE q.source = outbox.source AND q.until > now())
RETURNING n;

-- name: sent
-- $1 chat, $2 turn, $3 n, $4 Telegram's id, $5 Telegram's time, $6 the terms of its text, $7 those of the days it
-- speaks of, $8 whether its picture went with it, $9 a number for what the persona is called. The bubble is sent, and
-- is a message of the chat, kept as take_message keeps one.
WITH done AS (
    UPDATE outbox SET state = 'sent', sent_id = $4, owner = NULL, lease_until = NULL, problem = NULL
    WHERE chat_id = $1 AND turn_id = $2 AND n = $3 AND state IN ('sending', 'unknown')
    RETURNING *
), number AS (
    UPDATE chats SET
        last_message_id = last_message_id + 1,
        indexed_messages = indexed_messages + 1,
        indexed_terms = indexed_terms + cardinality($6::text[]),
        sessions_from = CASE WHEN $5 < (
            SELECT m.sent_at FROM messages m WHERE m.chat_id = $1 AND m.topic = (SELECT topic FROM done)
            ORDER BY m.sent_at DESC, m.message_id DESC LIMIT 1
        ) OR NOT EXISTS (
            SELECT FROM chats seen WHERE seen.chat_id = $1 AND seen.last_message_id = chats.last_message_id
                AND seen.sessions_from IS NOT DISTINCT FROM chats.sessions_from
        ) THEN least(sessions_from, $5) ELSE sessions_from END
    WHERE chat_id = (SELECT chat_id FROM done)
    RETURNING last_message_id
), kept AS (
    INSERT INTO messages (chat_id, message_id, source, external_id, topic, sender_id, sender, persona, turn_id, sent_at,
                          text, reply_to, emotion, read_at, terms, speaker, session)
    SELECT d.chat_id, number.last_message_id, d.source, $4, d.topic, NULL, d.persona, d.persona, d.turn_id, $5,
           d.text, d.reply_to, CASE WHEN $8 THEN d.emotion END, $5, cardinality($6::text[]), $9, coalesce((
               SELECT CASE WHEN m.sent_at >= $5 - interval '30 minutes' THEN coalesce(m.session, m.message_id) END
               FROM messages m
               WHERE m.chat_id = $1 AND m.topic = d.topic AND m.sent_at <= $5
               ORDER BY m.sent_at DESC, m.message_id DESC
               LIMIT 1
           ), number.last_message_id)
    FROM done d CROSS JOIN number
    ON CONFLICT DO NOTHING
    RETURNING message_id, topic
), posted AS (
    INSERT INTO postings (chat_id, term, message_id, topic, sent_at, tf, length, speaker)
    SELECT $1, term, message_id, topic, $5, count(*), cardinality($6::text[]), $9
    FROM kept CROSS JOIN unnest($6::text[] || $7::text[]) AS term
    GROUP BY term, message_id, topic
    RETURNING term
), counted AS (
    INSERT INTO term_counts (chat_id, term, messages) SELECT $1, term, 1 FROM posted
    ON CONFLICT (chat_id, term) DO UPDATE SET messages = term_counts.messages + 1
)
SELECT message_id FROM kept;

-- name: send_later
-- $1 chat, $2 turn, $3 n, $4 seconds, $5 problem. It was surely not sent: again later.
UPDATE outbox SET state = 'waiting', due_at = now() + make_interval(secs => $4), problem = $5, owner = NULL,
    lease_until = NULL
WHERE chat_id = $1 AND turn_id = $2 AND n = $3 AND state IN ('waiting', 'sending');

-- name: quiet_place
-- $1 source, $2 seconds. Nothing is sent there before, by whomever; what is held for its typing is let go of.
WITH quiet AS (
    INSERT INTO quiet_places (source, until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT (source) DO UPDATE SET until = greatest(quiet_places.until, EXCLUDED.until)
), forgotten AS (
    DELETE FROM quiet_places WHERE until < now() AND source <> $1
)
UPDATE outbox SET owner = NULL, lease_until = NULL
WHERE source = $1 AND state = 'waiting' AND lease_until IS NOT NULL;

-- name: give_up
-- $1 chat, $2 turn, $3 n, $4 `unknown` or `failed`, $5 problem. It may have been sent, or never will be.
UPDATE outbox SET state = $4, problem = $5, owner = NULL, lease_until = NULL
WHERE chat_id = $1 AND turn_id = $2 AND n = $3 AND state IN ('waiting', 'sending');

-- name: close_place
-- $1 source, $2 problem: nothing more can be said there; what waits fails.
UPDATE outbox SET state = 'failed', problem = $2 WHERE source = $1 AND state = 'waiting';

-- name: give_up_stale
-- $1 with what the addresses of the bot begin, $2 seconds: what waits for longer is not sent any more. It is not being sent
-- even where it is held: begin_sending would refuse it.
UPDATE outbox SET state = 'failed', problem = 'too late', owner = NULL, lease_until = NULL
WHERE state = 'waiting' AND queued_at < now() - make_interval(secs => $2) AND starts_with(source, $1);

-- name: give_up_lost
-- $1 with what the addresses of the bot begin. What was being sent by somebody who is gone may have been sent, or not: it is not sent again.
UPDATE outbox SET state = 'unknown', problem = 'cut while it was being sent', owner = NULL, lease_until = NULL
WHERE state = 'sending' AND lease_until < now() AND starts_with(source, $1)
RETURNING chat_id, turn_id, n;
