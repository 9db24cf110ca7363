-- name: to_index
-- $1 how many. Messages whose words are not indexed yet: they were kept before there were postings.
SELECT chat_id, message_id, text, sent_at, sender FROM messages WHERE terms IS NULL ORDER BY chat_id, message_id LIMIT $1;

-- name: index_messages
-- $1 chat, then one array a column: $2 message, $3 the terms of its text and $4 those of the days it speaks of, each
-- joined by spaces, $5 a number for what its sender is called. What was indexed meanwhile is left alone; an edit does
-- that too, so a text that is another now is never indexed as it was.
WITH chat AS MATERIALIZED (
    SELECT chat_id FROM chats WHERE chat_id = $1 FOR NO KEY UPDATE
), given AS MATERIALIZED (
    SELECT g.message_id, string_to_array(g.terms, ' ') AS terms, string_to_array(g.days, ' ') AS days, g.speaker
    FROM chat CROSS JOIN unnest($2::bigint[], $3::text[], $4::text[], $5::int[]) AS g (message_id, terms, days, speaker)
    ORDER BY g.message_id
), done AS (
    UPDATE messages m SET terms = cardinality(g.terms), speaker = g.speaker
    FROM given g
    WHERE m.chat_id = $1 AND m.message_id = g.message_id AND m.terms IS NULL
    RETURNING m.message_id, m.topic, m.sent_at, m.terms AS length, g.terms || g.days AS terms, g.speaker
), totals AS (
    UPDATE chats SET indexed_messages = indexed_messages + (SELECT count(*) FROM done),
                     indexed_terms = indexed_terms + (SELECT coalesce(sum(length), 0) FROM done)
    WHERE chat_id = $1
), posted AS (
    INSERT INTO postings (chat_id, term, message_id, topic, sent_at, tf, length, speaker)
    SELECT $1, term, d.message_id, d.topic, d.sent_at, count(*), d.length, d.speaker
    FROM done d CROSS JOIN LATERAL unnest(d.terms) AS term
    GROUP BY term, d.message_id, d.topic, d.sent_at, d.length, d.speaker
    RETURNING term
)
INSERT INTO term_counts (chat_id, term, messages) SELECT $1, term, count(*) FROM posted GROUP BY term
ON CONFLICT (chat_id, term) DO UPDATE SET messages = term_counts.messages + EXCLUDED.messages;

-- name: index_again
-- $1 chat, $2 message, $3 the terms of its text before (NULL: that was not indexed), $4 those of its text now; $5 and $6
-- the same with those of the days that either speaks of. The chat's row is locked already.
WITH message AS (
    SELECT topic, sent_at, speaker FROM messages WHERE chat_id = $1 AND message_id = $2
), gone AS (
    DELETE FROM postings
    WHERE chat_id = $1 AND message_id = $2 AND term = ANY ($5::text[]) AND term <> ALL ($6::text[])
    RETURNING term
), posted AS (
    INSERT INTO postings (chat_id, term, message_id, topic, sent_at, tf, length, speaker)
    SELECT $1, term, $2, topic, sent_at, count(*), cardinality($4::text[]), speaker
    FROM message CROSS JOIN unnest($6::text[]) AS term
    GROUP BY term, topic, sent_at, speaker
    ON CONFLICT (chat_id, term, message_id) DO UPDATE SET tf = EXCLUDED.tf, length = EXCLUDED.length
), totals AS (
    UPDATE chats SET indexed_messages = indexed_messages + ($3::text[] IS NULL)::int,
                     indexed_terms = indexed_terms + cardinality($4::text[]) - coalesce(cardinality($3::text[]), 0)
    WHERE chat_id = $1
)
INSERT INTO term_counts (chat_id, term, messages)
SELECT $1, term, -1 FROM gone
UNION ALL
SELECT DISTINCT $1, term, 1 FROM unnest($6::text[]) AS term WHERE term <> ALL (coalesce($5::text[], '{}'))
ON CONFLICT (chat_id, term) DO UPDATE SET messages = term_counts.messages + EXCLUDED.messages;

-- name: unsorted_chats
-- The chats in which sessions are to be told anew.
SELECT chat_id FROM chats WHERE sessions_from IS NOT NULL ORDER BY chat_id;

-- name: lock_sessions
-- $1 chat. From when on its sessions are to be told anew; no row when all are right. Nobody writes there meanwhile.
SELECT sessions_from FROM chats WHERE chat_id = $1 AND sessions_from IS NOT NULL FOR NO KEY UPDATE;

-- name: sort_sessions
-- $1 chat, $2 from when on, $3 how many messages at least. Tells sessions anew for a part of a chat, and remembers from
-- where on the rest is to be told. What stands before that part is right. Rows that are right already stay as they are.
WITH bound AS (
    SELECT max(sent_at) AS last
    FROM (SELECT sent_at FROM messages WHERE chat_id = $1 AND sent_at >= $2 ORDER BY sent_at LIMIT $3) AS part
), part AS MATERIALIZED (
    SELECT m.message_id, m.topic, m.sent_at, m.session,
           m.sent_at > lag(m.sent_at) OVER by_time + interval '30 minutes' AS is_new_session
    FROM messages m
    WHERE m.chat_id = $1 AND m.sent_at >= $2 AND m.sent_at <= (SELECT last FROM bound)
    WINDOW by_time AS (PARTITION BY m.topic ORDER BY m.sent_at, m.message_id)
), stretched AS (
    SELECT p.*, count(*) FILTER (WHERE is_new_session) OVER (PARTITION BY topic ORDER BY sent_at, message_id) AS stretch
    FROM part p
), sorted AS (
    SELECT s.*, first_value(message_id) OVER (PARTITION BY topic, stretch ORDER BY sent_at, message_id) AS first
    FROM stretched s
), standing AS MATERIALIZED (
    SELECT f.topic, (
        SELECT CASE WHEN m.sent_at >= f.sent_at - interval '30 minutes' THEN coalesce(m.session, m.message_id) END
        FROM messages m
        WHERE m.chat_id = $1 AND m.topic = f.topic AND m.sent_at < $2
        ORDER BY m.sent_at DESC, m.message_id DESC
        LIMIT 1
    ) AS session
    FROM (SELECT topic, min(sent_at) AS sent_at FROM part GROUP BY topic) AS f
), told AS MATERIALIZED (
    SELECT message_id, session
    FROM (
        SELECT s.message_id, s.session AS now, coalesce(
            (SELECT session FROM standing WHERE standing.topic = s.topic AND s.stretch = 0), s.first
        ) AS session
        FROM sorted s
    ) AS each
    WHERE now IS DISTINCT FROM session
    ORDER BY message_id
), changed AS (
    UPDATE messages m SET session = t.session FROM told t WHERE m.chat_id = $1 AND m.message_id = t.message_id
)
UPDATE chats SET sessions_from = (
    SELECT m.sent_at FROM messages m
    WHERE m.chat_id = $1 AND m.sent_at > (SELECT last FROM bound)
    ORDER BY m.sent_at LIMIT 1
)
WHERE chat_id = $1;
