-- name: record_messages
-- $1 chat, $2 source, $3 read at (NULL: unread), then one array a column: $4 external id, $5 topic, $6 sender id, $7
-- sender, $8 sent at, $9 edited at, $10 text, $11 external id of the message it answers, $12 forwarded from, $13 the
-- terms of the text and $14 those of the days it speaks of, each joined by spaces, $15 a number for what its sender is
-- called. Gives the rows that were new. Each look at `messages` is a subquery for one row: a join would be planned
-- once, while the table is small, as a scan of all of it, and kept.
WITH incoming AS (
    SELECT DISTINCT ON (external_id) *
    FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[], $10::text[],
                $11::text[], $12::text[], $13::text[], $14::text[], $15::int[])
        WITH ORDINALITY AS given (external_id, topic, sender_id, sender, sent_at, edited_at, text,
                                  reply_to_external, forwarded_from, terms, days, speaker, n)
    ORDER BY external_id, n
), fresh AS (
    SELECT i.*, row_number() OVER (ORDER BY i.n) AS place
    FROM incoming i
    WHERE (
        SELECT message_id FROM known_message($1, $2, i.external_id, i.sender_id, i.sender, i.sent_at, i.text) LIMIT 1
    ) IS NULL
), firsts AS (
    SELECT topic, min(sent_at) AS sent_at FROM fresh GROUP BY topic
), numbers AS (
    -- The row lock makes numbers visible in their order: whoever sees one sees all before it. Sessions are told anew from
    -- what is not the newest of its topic, and when others wrote here while we waited for the lock.
    UPDATE chats SET
        last_message_id = last_message_id + (SELECT count(*) FROM fresh),
        indexed_messages = indexed_messages + (SELECT count(*) FROM fresh),
        indexed_terms = indexed_terms + (SELECT sum(cardinality(string_to_array(terms, ' '))) FROM fresh),
        sessions_from = least(sessions_from, (
            SELECT min(f.sent_at) FROM firsts f
            WHERE f.sent_at < (
                SELECT m.sent_at FROM messages m WHERE m.chat_id = $1 AND m.topic = f.topic
                ORDER BY m.sent_at DESC, m.message_id DESC LIMIT 1
            ) OR NOT EXISTS (
                SELECT FROM chats seen WHERE seen.chat_id = $1 AND seen.last_message_id = chats.last_message_id
                    AND seen.sessions_from IS NOT DISTINCT FROM chats.sessions_from
            )
        ))
    WHERE chat_id = $1 AND EXISTS (SELECT FROM fresh)
    RETURNING last_message_id - (SELECT count(*) FROM fresh) AS before
), placed AS (
    SELECT f.*, before + f.place AS message_id,
           f.sent_at > lag(f.sent_at) OVER by_time + interval '30 minutes' AS is_new_session
    FROM fresh f CROSS JOIN numbers
    WINDOW by_time AS (PARTITION BY f.topic ORDER BY f.sent_at, f.place)
), stretched AS (
    SELECT p.*, count(*) FILTER (WHERE is_new_session) OVER (PARTITION BY topic ORDER BY sent_at, place) AS stretch
    FROM placed p
), sorted AS (
    SELECT s.*, first_value(message_id) OVER (PARTITION BY topic, stretch ORDER BY sent_at, place) AS first
    FROM stretched s
), standing AS (
    SELECT f.topic, (
        SELECT CASE WHEN m.sent_at >= f.sent_at - interval '30 minutes' THEN coalesce(m.session, m.message_id) END
        FROM messages m
        WHERE m.chat_id = $1 AND m.topic = f.topic AND m.sent_at <= f.sent_at
        ORDER BY m.sent_at DESC, m.message_id DESC
        LIMIT 1
    ) AS session
    FROM firsts f
), kept AS (
    INSERT INTO messages (chat_id, message_id, source, external_id, topic, sender_id, sender, sent_at, edited_at, text,
                          reply_to, forwarded_from, read_at, terms, speaker, session)
    SELECT $1, s.message_id, $2, s.external_id, s.topic, s.sender_id, s.sender, s.sent_at, s.edited_at, s.text,
           coalesce(sibling.message_id, (
               SELECT m.message_id FROM messages m
               WHERE m.chat_id = $1 AND m.source = $2 AND m.external_id = s.reply_to_external
           )), s.forwarded_from, $3, cardinality(string_to_array(s.terms, ' ')), s.speaker,
           coalesce((SELECT session FROM standing WHERE standing.topic = s.topic AND s.stretch = 0), s.first)
    FROM sorted s
    LEFT JOIN placed sibling ON sibling.external_id = s.reply_to_external
    ORDER BY s.place
    ON CONFLICT DO NOTHING
    RETURNING message_id
), posted AS (
    INSERT INTO postings (chat_id, term, message_id, topic, sent_at, tf, length, speaker)
    SELECT $1, term, p.message_id, p.topic, p.sent_at, count(*), cardinality(string_to_array(p.terms, ' ')), p.speaker
    FROM kept JOIN placed p USING (message_id)
    CROSS JOIN LATERAL unnest(string_to_array(p.terms, ' ') || string_to_array(p.days, ' ')) AS term
    GROUP BY term, p.message_id, p.topic, p.sent_at, p.terms, p.speaker
    RETURNING term
), counted AS (
    INSERT INTO term_counts (chat_id, term, messages) SELECT $1, term, count(*) FROM posted GROUP BY term
    ON CONFLICT (chat_id, term) DO UPDATE SET messages = term_counts.messages + EXCLUDED.messages
)
SELECT message_id FROM kept ORDER BY message_id;

-- name: count_messages
SELECT count(*) FROM messages;

-- name: view_lane
-- $1 chat, $2 topic (NULL: all of the chat), $3 how many, $4 until when, $5 the persona whose lorebook's past is told,
-- too (NULL: nobody's), $6 whether with how often it answered, $7 the persona whose notes, rest and greeting these are
-- to be (NULL: whoever's). The lane's unread messages, whatever the clock of their source says, and the last before
-- them, as far as there is room; oldest first. One row with NULLs beside the lane's state when there are none. A topic
-- and all of the chat are two branches, of which one is never run: `$2 IS NULL OR topic = $2` would be planned once,
-- for either, and so without the index by topic.
WITH unread AS (
    (SELECT m.* FROM messages m
     WHERE $2::text IS NOT NULL AND m.chat_id = $1 AND m.topic = $2 AND m.read_at IS NULL
     ORDER BY m.message_id DESC
     LIMIT $3)
    UNION ALL
    (SELECT m.* FROM messages m
     WHERE $2::text IS NULL AND m.chat_id = $1 AND m.read_at IS NULL
     ORDER BY m.message_id DESC
     LIMIT $3)
), last AS (
    (SELECT m.* FROM messages m
     WHERE $2::text IS NOT NULL AND m.chat_id = $1 AND m.topic = $2 AND m.sent_at <= $4 AND m.read_at IS NOT NULL
     ORDER BY m.sent_at DESC, m.message_id DESC
     LIMIT $3 - (SELECT count(*) FROM unread))
    UNION ALL
    (SELECT m.* FROM messages m
     WHERE $2::text IS NULL AND m.chat_id = $1 AND m.sent_at <= $4 AND m.read_at IS NOT NULL
     ORDER BY m.sent_at DESC, m.message_id DESC
     LIMIT $3 - (SELECT count(*) FROM unread))
), seen AS (
    SELECT * FROM last UNION ALL SELECT * FROM unread
)
SELECT s.chat_id, s.message_id, s.external_id, s.topic, s.sender_id, s.sender, s.persona, s.sent_at, s.edited_at,
       s.text, s.reply_to, s.forwarded_from, s.emotion, s.read_at, l.notes, l.rests_until, l.waits_until, p.greeting,
       CASE WHEN row_number() OVER (ORDER BY s.sent_at, s.message_id) = 1 THEN b.state END AS lore_state, -- it may be long
       (SELECT c.last_message_id FROM chats c WHERE c.chat_id = $1 AND $5::text IS NOT NULL) AS count,
       CASE WHEN $6::boolean THEN (
           SELECT count(*) FROM turns t WHERE t.chat_id = $1 AND t.persona = $5 AND t.outcome = 'answered'
       ) END AS replies
FROM (VALUES (1)) AS one (x)
LEFT JOIN lanes l ON l.chat_id = $1 AND l.topic IS NOT DISTINCT FROM $2
    AND (l.persona = $7::text OR l.persona IS NULL OR $7 IS NULL)
LEFT JOIN chat_personas p ON p.chat_id = $1 AND (p.persona = $7 OR $7 IS NULL)
LEFT JOIN lorebook_state b ON b.chat_id = $1 AND b.persona = $5
LEFT JOIN seen s ON true
ORDER BY s.sent_at, s.message_id;

-- name: messages_before
-- $1 chat, $2 topic (NULL: all of the chat), $3 message, $4 how many: those just before it, oldest first. Two branches, of
-- which one is never run, as in view_lane.
WITH start AS MATERIALIZED (
    SELECT sent_at, message_id FROM messages WHERE chat_id = $1 AND message_id = $3
), earlier AS (
    (SELECT m.* FROM start CROSS JOIN LATERAL (
        SELECT m.* FROM messages m
        WHERE $2::text IS NOT NULL AND m.chat_id = $1 AND m.topic = $2
            AND (m.sent_at, m.message_id) < (start.sent_at, start.message_id)
        ORDER BY m.sent_at DESC, m.message_id DESC
        LIMIT $4
    ) AS m)
    UNION ALL
    (SELECT m.* FROM start CROSS JOIN LATERAL (
        SELECT m.* FROM messages m
        WHERE $2::text IS NULL AND m.chat_id = $1
            AND (m.sent_at, m.message_id) < (start.sent_at, start.message_id)
        ORDER BY m.sent_at DESC, m.message_id DESC
        LIMIT $4
    ) AS m)
)
SELECT m.chat_id, m.message_id, m.external_id, m.topic, m.sender_id, m.sender, m.persona, m.sent_at, m.edited_at,
       m.text, m.reply_to, m.forwarded_from, m.emotion
FROM earlier m
ORDER BY m.sent_at, m.message_id;

-- name: read_messages
-- $1 chat, $2 and $3: after which time and number, $4 how many. In order of time; for reading a whole chat in pages.
SELECT m.chat_id, m.message_id, m.external_id, m.topic, m.sender_id, m.sender, m.persona, m.sent_at, m.edited_at,
       m.text, m.reply_to, m.forwarded_from, m.emotion
FROM messages m
WHERE m.chat_id = $1 AND (m.sent_at, m.message_id) > ($2, $3)
ORDER BY m.sent_at, m.message_id
LIMIT $4;

-- name: messages_by_number
-- $1 chat, $2 messages. Those that are there, in order of time.
SELECT m.chat_id, m.message_id, m.external_id, m.topic, m.sender_id, m.sender, m.persona, m.sent_at, m.edited_at,
       m.text, m.reply_to, m.forwarded_from, m.emotion
FROM messages m
WHERE m.chat_id = $1 AND m.message_id = ANY ($2::bigint[])
ORDER BY m.sent_at, m.message_id;

-- name: came_later
-- $1 chat, $2 message, $3 time, $4 how many at most. What was kept after that message though it is dated by then.
SELECT message_id FROM messages
WHERE chat_id = $1 AND message_id > $2 AND sent_at <= $3
ORDER BY message_id
LIMIT $4;
