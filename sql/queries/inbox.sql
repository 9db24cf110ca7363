-- name: take_update
-- $1 bot, $2 update, $3 state, $4 raw (NULL unless quarantined), $5 problem. No row when it was taken before.
INSERT INTO inbox (bot_id, update_id, state, raw, problem) VALUES ($1, $2, $3, $4::jsonb, $5)
ON CONFLICT DO NOTHING
RETURNING update_id;

-- name: take_message
-- An update, its message and the wish for a turn, all or nothing: $1 bot, $2 update, $3 chat, $4 source, $5 external
-- id, $6 topic, $7 sender id, $8 sender, $9 sent at, $10 edited at, $11 text, $12 external id of the message it
-- answers, $13 forwarded from, $14 quiet seconds until the burst is over (NULL: no turn is wanted), $15 most seconds a
-- burst is waited out, $16 whether it need not be on disk at once: that is the case as soon as anything that is
-- committed later is, $17 traceparent, $18 the terms of the text, $19 seconds after which a turn that was due comes
-- too late, so that this message begins a burst of its own, $20 the terms of the days that the text speaks of, $21 a
-- number for what its sender is called. A turn is wanted once nobody has written for a while; a turn that is under way
-- begins anew. No row when the update was taken before; no message in it when that is known already: a turn is wanted
-- all the same if an edit, which wakes nobody, came before its message. Fails with unique_violation when the same
-- message was kept while this waited for the chat's row: what was counted for it must not stay.
WITH taken AS (
    INSERT INTO inbox (bot_id, update_id, state) VALUES ($1, $2, 'done')
    ON CONFLICT DO NOTHING
    RETURNING update_id
), number AS (
    -- The row lock makes numbers visible in their order: whoever sees one sees all before it.
    -- Sessions are told anew from what is not the newest of its topic, and when others wrote here while we waited.
    UPDATE chats SET
        last_message_id = last_message_id + 1,
        indexed_messages = indexed_messages + 1,
        indexed_terms = indexed_terms + cardinality($18::text[]),
        sessions_from = CASE WHEN $9 < (
            SELECT m.sent_at FROM messages m WHERE m.chat_id = $3 AND m.topic = $6
            ORDER BY m.sent_at DESC, m.message_id DESC LIMIT 1
        ) OR NOT EXISTS (
            SELECT FROM chats seen WHERE seen.chat_id = $3 AND seen.last_message_id = chats.last_message_id
                AND seen.sessions_from IS NOT DISTINCT FROM chats.sessions_from
        ) THEN least(sessions_from, $9) ELSE sessions_from END
    WHERE chat_id = $3 AND EXISTS (SELECT FROM taken)
        AND (SELECT message_id FROM known_message($3, $4, $5, $7, $8, $9, $11) LIMIT 1) IS NULL
    RETURNING last_message_id
), kept AS (
    INSERT INTO messages (chat_id, message_id, source, external_id, topic, sender_id, sender, sent_at, edited_at, text,
                          reply_to, forwarded_from, traceparent, terms, speaker, session)
    SELECT $3, last_message_id, $4, $5, $6, $7, $8, $9, $10, $11, (
        SELECT m.message_id FROM messages m
        WHERE m.chat_id = $3 AND m.source = $4 AND m.external_id = $12
    ), $13, $17, cardinality($18::text[]), $21, coalesce((
        SELECT CASE WHEN m.sent_at >= $9 - interval '30 minutes' THEN coalesce(m.session, m.message_id) END
        FROM messages m
        WHERE m.chat_id = $3 AND m.topic = $6 AND m.sent_at <= $9
        ORDER BY m.sent_at DESC, m.message_id DESC
        LIMIT 1
    ), last_message_id)
    FROM number
    RETURNING message_id
), posted AS (
    INSERT INTO postings (chat_id, term, message_id, topic, sent_at, tf, length, speaker)
    SELECT $3, term, message_id, $6, $9, count(*), cardinality($18::text[]), $21
    FROM kept CROSS JOIN unnest($18::text[] || $20::text[]) AS term
    GROUP BY term, message_id
    RETURNING term
), counted AS (
    INSERT INTO term_counts (chat_id, term, messages) SELECT $3, term, 1 FROM posted
    ON CONFLICT (chat_id, term) DO UPDATE SET messages = term_counts.messages + 1
), woken AS (
    INSERT INTO lanes (chat_id, topic, source, due_at, since, generation)
    SELECT $3, $6, $4, now() + make_interval(secs => $14), now(), 1 FROM taken
    WHERE $14::float8 IS NOT NULL AND (
        EXISTS (SELECT FROM kept) OR (
            SELECT m.edited_at IS NOT NULL AND m.read_at IS NULL FROM messages m
            WHERE m.chat_id = $3 AND m.source = $4 AND m.external_id = $5
        )
    )
    ON CONFLICT (chat_id, topic) DO UPDATE
        SET source = EXCLUDED.source,
            since = CASE WHEN lanes.due_at < now() - make_interval(secs => $19) THEN now()
                         ELSE coalesce(lanes.since, now()) END,
            due_at = least(now() + make_interval(secs => $14), make_interval(secs => $15) +
                           CASE WHEN lanes.due_at < now() - make_interval(secs => $19) THEN now()
                                ELSE coalesce(lanes.since, now()) END),
            generation = lanes.generation + 1,
            failures = 0
)
SELECT set_config('synchronous_commit', CASE WHEN $16 THEN 'off' ELSE current_setting('synchronous_commit') END, true),
       message_id
FROM taken LEFT JOIN kept ON true;

-- name: forget_updates
-- $1 seconds: what is older. Telegram keeps an update for a day and may use its number again after a week.
DELETE FROM inbox WHERE received_at < now() - make_interval(secs => $1);

-- name: forget_bubbles
-- $1 seconds: what is older, and was said or never will be.
DELETE FROM outbox
WHERE queued_at < now() - make_interval(secs => $1) AND state IN ('sent', 'unknown', 'failed');

-- name: lease_poller
-- $1 bot, $2 owner, $3 seconds. A row when this owner polls now: it did before, nobody does, or the lease ran out.
INSERT INTO pollers (bot_id, owner, lease_until) VALUES ($1, $2, now() + make_interval(secs => $3))
ON CONFLICT (bot_id) DO UPDATE SET owner = EXCLUDED.owner, lease_until = EXCLUDED.lease_until
    WHERE pollers.owner = EXCLUDED.owner OR pollers.lease_until < now()
RETURNING owner;

-- name: leave_poller
-- $1 bot, $2 owner.
DELETE FROM pollers WHERE bot_id = $1 AND owner = $2;

-- name: polled_bots
SELECT bot_id FROM pollers WHERE lease_until > now();

-- name: edit_message
-- $1 chat, $2 source, $3 external id, $4 text, $5 edited at, $6 how many terms it has, $7 a number for what its sender
-- is called. A row when the message is there and its text is another now: its number, topic, when it was sent, whether
-- it is unread, and its text before, NULL when that was not indexed. Locks the chat's row before the message's, as
-- whoever writes a message does.
WITH chat AS MATERIALIZED (
    SELECT chat_id FROM chats WHERE chat_id = $1 FOR NO KEY UPDATE
), before AS MATERIALIZED (
    SELECT m.message_id, CASE WHEN m.terms IS NOT NULL THEN m.text END AS indexed_text
    FROM chat JOIN messages m USING (chat_id)
    WHERE m.source = $2 AND m.external_id = $3
    FOR NO KEY UPDATE OF m
)
UPDATE messages m SET text = $4, edited_at = $5, terms = $6, speaker = coalesce(speaker, $7)
FROM before b
WHERE m.chat_id = $1 AND m.message_id = b.message_id AND m.text IS DISTINCT FROM $4
    AND (m.edited_at IS NULL OR m.edited_at <= $5)
RETURNING m.message_id, m.topic, m.sent_at, m.read_at IS NULL AS unread, b.indexed_text;

-- name: embed_again
-- $1 chat, $2 message: every model embeds it once more.
INSERT INTO to_embed_again (model_id, chat_id, message_id)
SELECT model_id, $1, $2 FROM embedding_models
ON CONFLICT DO NOTHING;

-- name: drop_vector
-- $1 chat, $2 message.
DELETE FROM {vectors} WHERE chat_id = $1 AND message_id = $2;

-- name: move_address
-- $1 old source, $2 new source: the group became a supergroup. Its chat gains the new address, in either order of
-- Telegram's two messages and however often they come. Gives the chat.
WITH old AS (
    SELECT chat_id FROM chat_addresses WHERE source = $1
), gained AS (
    INSERT INTO chat_addresses (source, chat_id) SELECT $2, chat_id FROM old
    ON CONFLICT (source) DO NOTHING
    RETURNING chat_id
), lanes_moved AS (
    UPDATE lanes SET source = $2 WHERE source = $1
), commands_moved AS (
    UPDATE commands SET source = $2 WHERE source = $1
), outbox_moved AS (
    UPDATE outbox SET source = $2 WHERE source = $1 AND state = 'waiting'
)
SELECT chat_id FROM old;
