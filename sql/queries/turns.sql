-- name: finish_turn
-- $1 chat, $2 topic (NULL: all of the chat), $3 turn, $4 trace, $5 persona, $6 started at, $7 outcome, $8 inputs, $9
-- read through which message (NULL: nothing), $10 notes, $11 rests until, $12 waits until, $13 source, $14 topic of
-- what is said, $15 said, $16 the message each bubble answers, $17 said at, $18 the terms of each bubble, joined by
-- spaces, $19 the account of its answers, $20 what is remembered of the persona's lorebook, by entry (NULL: nothing
-- new), $21 which entries are forgotten, as the book has them no more, $22 the terms of the days that each bubble
-- speaks of, joined by spaces, $23 what the picture is called that goes with each (NULL: none), $24 a number for what
-- the persona is called. All or nothing, and once: a turn that is there already changes nothing. Gives the numbers of
-- the new messages.
WITH turn AS (
    INSERT INTO turns (chat_id, turn_id, topic, trace_id, persona, started_at, outcome, inputs, account)
    VALUES ($1, $3, $2, $4, $5, $6, $7, $8::jsonb, $19::jsonb)
    ON CONFLICT DO NOTHING
    RETURNING turn_id
), reading AS ( -- a topic, or else all of the chat: two branches as in view_lane
    UPDATE messages SET read_at = $6, traceparent = NULL
    WHERE $2::text IS NOT NULL AND chat_id = $1 AND topic = $2 AND read_at IS NULL AND message_id <= $9
        AND EXISTS (SELECT FROM turn)
), reading_all AS (
    UPDATE messages SET read_at = $6, traceparent = NULL
    WHERE $2::text IS NULL AND chat_id = $1 AND read_at IS NULL AND message_id <= $9 AND EXISTS (SELECT FROM turn)
), lane AS (
    INSERT INTO lanes (chat_id, topic, notes, rests_until, waits_until, persona)
    SELECT $1, $2, $10::text[], $11, $12, $5 FROM turn
    ON CONFLICT (chat_id, topic) DO UPDATE
        SET notes = EXCLUDED.notes, rests_until = EXCLUDED.rests_until, waits_until = EXCLUDED.waits_until,
            persona = EXCLUDED.persona
), lore AS (
    INSERT INTO lorebook_state AS kept (chat_id, persona, state)
    SELECT $1, $5, $20::jsonb FROM turn WHERE $20::jsonb IS NOT NULL
    ON CONFLICT (chat_id, persona) DO UPDATE SET state = merged_lore(kept.state, excluded.state, $21::text[])
), bubbles AS (
    SELECT * FROM unnest($15::text[], $16::bigint[], $18::text[], $22::text[], $23::text[])
        WITH ORDINALITY AS b (text, reply_to, terms, days, emotion, n)
    WHERE EXISTS (SELECT FROM turn)
), numbers AS (
    UPDATE chats SET
        last_message_id = last_message_id + (SELECT count(*) FROM bubbles),
        indexed_messages = indexed_messages + (SELECT count(*) FROM bubbles),
        indexed_terms = indexed_terms + (SELECT sum(cardinality(string_to_array(terms, ' '))) FROM bubbles),
        sessions_from = CASE WHEN $17 < (
            SELECT m.sent_at FROM messages m WHERE m.chat_id = $1 AND m.topic = $14
            ORDER BY m.sent_at DESC, m.message_id DESC LIMIT 1
        ) OR NOT EXISTS (
            SELECT FROM chats seen WHERE seen.chat_id = $1 AND seen.last_message_id = chats.last_message_id
                AND seen.sessions_from IS NOT DISTINCT FROM chats.sessions_from
        ) THEN least(sessions_from, $17) ELSE sessions_from END
    WHERE chat_id = $1 AND EXISTS (SELECT FROM bubbles)
    RETURNING last_message_id - (SELECT count(*) FROM bubbles) AS before
), kept AS (
    INSERT INTO messages (chat_id, message_id, source, external_id, topic, sender_id, sender, persona, turn_id, sent_at,
                          text, reply_to, emotion, read_at, terms, speaker, session)
    SELECT $1, before + b.n, $13, $3::text || '.' || b.n, $14, NULL, $5, $5, $3, $17, b.text, b.reply_to, b.emotion, $17,
           cardinality(string_to_array(b.terms, ' ')), $24, coalesce((
               SELECT CASE WHEN m.sent_at >= $17 - interval '30 minutes' THEN coalesce(m.session, m.message_id) END
               FROM messages m
               WHERE m.chat_id = $1 AND m.topic = $14 AND m.sent_at <= $17
               ORDER BY m.sent_at DESC, m.message_id DESC
               LIMIT 1
           ), before + 1)
    FROM bubbles b CROSS JOIN numbers
    RETURNING message_id
), posted AS (
    INSERT INTO postings (chat_id, term, message_id, topic, sent_at, tf, length, speaker)
    SELECT $1, term, before + b.n, $14, $17, count(*), cardinality(string_to_array(b.terms, ' ')), $24
    FROM bubbles b CROSS JOIN numbers
    CROSS JOIN LATERAL unnest(string_to_array(b.terms, ' ') || string_to_array(b.days, ' ')) AS term
    GROUP BY term, before, b.n, b.terms
    RETURNING term
), counted AS (
    INSERT INTO term_counts (chat_id, term, messages) SELECT $1, term, count(*) FROM posted GROUP BY term
    ON CONFLICT (chat_id, term) DO UPDATE SET messages = term_counts.messages + EXCLUDED.messages
)
SELECT message_id FROM kept ORDER BY message_id;

-- name: find_turn
-- $1 chat, $2 turn.
SELECT chat_id, turn_id, topic, trace_id, persona, started_at, outcome, inputs, account FROM turns
WHERE chat_id = $1 AND turn_id = $2;

-- name: turns_known_as
-- $1 turn (NULL: any), $2 trace (NULL: any), of all chats. Reads the whole table: for an operator who has nothing but the
-- number, not for the way of a message.
SELECT chat_id, turn_id, topic, trace_id, persona, started_at, outcome, inputs, account FROM turns
WHERE turn_id = $1 OR trace_id = $2
ORDER BY started_at;

-- name: find_said
-- $1 chat, $2 message. The message, and in which turn the bot said it, as whom; both NULL for what others said.
SELECT chat_id, message_id, persona, turn_id, text FROM messages WHERE chat_id = $1 AND message_id = $2;

-- name: find_said_at
-- $1 the chat's number in Telegram, $2 the message's. As find_said, wherever a bot of ours reads that chat; what a bot said
-- comes first.
SELECT m.chat_id, m.message_id, m.persona, m.turn_id, m.text
FROM chat_addresses a
JOIN messages m ON m.chat_id = a.chat_id AND m.source = a.source AND m.external_id = $2
WHERE starts_with(a.source, 'telegram:') AND split_part(a.source, ':', 3) = $1
ORDER BY m.turn_id IS NULL
LIMIT 1;
