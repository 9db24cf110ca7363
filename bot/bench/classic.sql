-- The peer of `companion bench latency`: recall as it is commonly done, a statement for each unread message and two more
-- for each of its hits. It is no query of the bot's, so it stays out of sql/queries; it is here, and not among the tests,
-- because the command that runs it ships. It reads our own table of vectors, where they lie beside their row and are
-- indexed by (chat_id, sent_at), and our messages, indexed by (chat_id, topic, sent_at, message_id): what it has in the
-- wild is never better.

-- name: classic_hits
-- $1 chat, $2 now, $3 ids in view, $4 query vector, $5 threshold. The best three of all rows of the chat.
SELECT m.message_id, m.sender, m.sent_at, m.topic, m.text, best.similarity, best.score
FROM (
    SELECT message_id, sent_at, similarity,
           1.2::float8 * similarity
           + 0.2::float8 * least(1, greatest(0, 1 - date_part('epoch', $2 - sent_at) / 2592000)) AS score
    FROM (
        SELECT v.message_id, v.sent_at, 1 - (v.embedding <=> $4) AS similarity
        FROM {vectors} v
        WHERE v.chat_id = $1 AND v.sent_at <= $2 AND v.embedding IS NOT NULL AND v.message_id <> ALL ($3::bigint[])
        OFFSET 0 -- keeps the distance from being reckoned more than once
    ) AS measured
    WHERE similarity > $5
    ORDER BY score DESC, sent_at DESC, message_id DESC
    LIMIT 3
) AS best
JOIN messages m ON m.chat_id = $1 AND m.message_id = best.message_id
ORDER BY best.score DESC, best.sent_at DESC, best.message_id DESC;

-- name: classic_before
-- $1 chat, $2 topic, $3 and $4: time and number of a hit.
SELECT message_id, sender, sent_at, text
FROM messages
WHERE chat_id = $1 AND topic = $2 AND (sent_at, message_id) < ($3, $4)
ORDER BY sent_at DESC, message_id DESC
LIMIT 5;

-- name: classic_after
-- $1 chat, $2 topic, $3 and $4: time and number of a hit.
SELECT message_id, sender, sent_at, text
FROM messages
WHERE chat_id = $1 AND topic = $2 AND (sent_at, message_id) > ($3, $4)
ORDER BY sent_at, message_id
LIMIT 5;
