-- Which message of a chat is known already: the one with the same id in the same source, or one with the same words of
-- the same person at the same second from another source (an export that overlaps the live chat). PostgreSQL puts the
-- body in the place of each call, so that it costs no more than if it were written there.
CREATE FUNCTION known_message(chat_id bigint, source text, external_id text, sender_id text, sender text,
                              sent_at timestamptz, words text)
RETURNS TABLE (message_id bigint)
LANGUAGE sql STABLE AS $$
    SELECT m.message_id FROM messages m WHERE m.chat_id = $1 AND m.source = $2 AND m.external_id = $3
    UNION ALL
    SELECT m.message_id FROM messages m
    WHERE m.chat_id = $1 AND m.sent_at = $6 AND m.source <> $2 AND m.text = $7
        AND (m.sender_id = $4 OR m.sender = $5)
$$;
