-- name: restart_lane
-- $1 chat, $2 topic: a turn that is under way begins anew; none is begun for it alone.
UPDATE lanes SET generation = generation + 1 WHERE chat_id = $1 AND topic IS NOT DISTINCT FROM $2;

-- name: claim_lane
-- $1 owner, $2 seconds of lease, $3 a new claim, $4 how many unread messages to tell of, $5 with what the addresses begin
-- that it may answer (NULL: with anything). The lane that has been due longest and is nobody's, with the last messages
-- unread in it (external id and where its trace began), for how long its turn could have been had, and the card that the
-- chat was given (NULL: CHARACTER_CARD's); no row when there is none.
UPDATE lanes SET owner = $1, claim = $3, lease_until = now() + make_interval(secs => $2), since = NULL
WHERE (chat_id, topic) = (
    SELECT chat_id, topic FROM lanes
    WHERE due_at <= now() AND (lease_until IS NULL OR lease_until < now())
        AND (rests_until IS NULL OR rests_until <= now())
        AND ($5::text IS NULL OR starts_with(source, $5))
    ORDER BY due_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING chat_id, topic, source, generation, failures, restarts, now() - greatest(due_at, rests_until) AS overdue, (
    SELECT array_agg(ARRAY[u.external_id, u.traceparent] ORDER BY u.message_id) FROM (
        SELECT m.message_id, m.external_id, m.traceparent FROM messages m
        WHERE m.chat_id = lanes.chat_id AND m.topic = lanes.topic AND m.read_at IS NULL AND m.traceparent IS NOT NULL
        ORDER BY m.message_id DESC
        LIMIT $4
    ) AS u
) AS unread, (SELECT p.card FROM chat_personas p WHERE p.chat_id = lanes.chat_id) AS card;

-- name: next_lane
-- $1 with what the addresses begin that are looked at (NULL: with anything). Seconds until the next lane that is nobody's
-- is due; no row when none is.
SELECT greatest(0, extract(epoch FROM min(greatest(due_at, coalesce(rests_until, due_at),
                                                   coalesce(lease_until, due_at))) - now()))::float8 AS seconds
FROM lanes WHERE due_at IS NOT NULL AND ($1::text IS NULL OR starts_with(source, $1))
HAVING count(*) > 0;

-- name: keep_lanes
-- $1 claims, $2 seconds of lease: they hold for longer. What is not named runs out, whoever's it is.
UPDATE lanes SET lease_until = now() + make_interval(secs => $2) WHERE claim = ANY ($1::uuid[])
RETURNING claim, generation;

-- name: release_lane
-- $1 chat, $2 topic, $3 claim, $4 seconds until it is due again (NULL: not by itself), $5 how the turn ended: `done`,
-- `failed` or `restarted`, $6 the lane's generation when it was claimed. Whoever woke it meanwhile has set when it is due.
UPDATE lanes
SET owner = NULL, claim = NULL, lease_until = NULL,
    failures = CASE $5::text WHEN 'failed' THEN failures + 1 WHEN 'restarted' THEN failures ELSE 0 END,
    restarts = CASE $5::text WHEN 'restarted' THEN restarts + 1 ELSE 0 END,
    due_at = CASE WHEN generation > $6 AND due_at IS NOT NULL THEN due_at
                  ELSE now() + make_interval(secs => $4) END
WHERE chat_id = $1 AND topic IS NOT DISTINCT FROM $2 AND claim = $3;

-- name: finish_lane_turn
-- As finish_turn, for a lane that is held: $1 chat, $2 topic, $3 turn, $4 trace, $5 persona, $6 started at, $7 outcome,
-- $8 inputs, $9 read through (NULL: nothing), $10 notes, $11 rests until, $12 waits until, $13 source, $14 said,
-- $15 what each bubble answers, $16 claim, $17 generation, $18 due again at (NULL: not by itself), $19 traceparent,
-- $20 whether it is kept though the lane was told to begin anew (it was too often; what came meanwhile gets a turn next),
-- $21 the account of its answers, $22 what is remembered of the persona's lorebook, by entry (NULL: nothing new),
-- $23 which entries are forgotten, $24 what the picture is called that goes with each bubble (NULL: none), $25 the card whose
-- pictures these are.
-- All or nothing; nothing when the claim does not hold any more, or was told to begin anew. Gives one row if it was.
WITH lane AS (
    UPDATE lanes
    SET notes = $10::text[], rests_until = $11, waits_until = $12, persona = $5, owner = NULL, claim = NULL, lease_until = NULL,
        due_at = CASE WHEN generation > $17 THEN due_at ELSE $18 END, failures = 0, restarts = 0
    WHERE chat_id = $1 AND topic IS NOT DISTINCT FROM $2 AND claim = $16 AND (generation = $17 OR $20)
    RETURNING chat_id
), turn AS (
    INSERT INTO turns (chat_id, turn_id, topic, trace_id, persona, started_at, outcome, inputs, account)
    SELECT chat_id, $3, $2, $4, $5, $6, $7, $8::jsonb, $21::jsonb FROM lane
    ON CONFLICT DO NOTHING
    RETURNING turn_id
), reading AS ( -- a topic, or else all of the chat: two branches as in view_lane
    UPDATE messages SET read_at = $6, traceparent = NULL
    WHERE $2::text IS NOT NULL AND chat_id = $1 AND topic = $2 AND read_at IS NULL AND message_id <= $9
        AND EXISTS (SELECT FROM turn)
), reading_all AS (
    UPDATE messages SET read_at = $6, traceparent = NULL
    WHERE $2::text IS NULL AND chat_id = $1 AND read_at IS NULL AND message_id <= $9 AND EXISTS (SELECT FROM turn)
), lore AS (
    INSERT INTO lorebook_state AS kept (chat_id, persona, state)
    SELECT $1, $5, $22::jsonb FROM turn WHERE $22::jsonb IS NOT NULL
    ON CONFLICT (chat_id, persona) DO UPDATE SET state = merged_lore(kept.state, excluded.state, $23::text[])
), bubbles AS (
    INSERT INTO outbox (chat_id, turn_id, n, source, topic, persona, text, reply_to, traceparent, picture, emotion)
    SELECT $1, turn_id, b.n, $13, coalesce($2, ''), $5, b.text, b.reply_to, $19,
           CASE WHEN b.emotion IS NOT NULL THEN $25::text END, b.emotion
    FROM turn CROSS JOIN unnest($14::text[], $15::bigint[], $24::text[]) WITH ORDINALITY AS b (text, reply_to, emotion, n)
)
SELECT chat_id FROM lane;
