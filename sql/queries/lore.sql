-- name: lorebook_state
-- $1 chat, $2 persona. No row when nothing is remembered.
SELECT state FROM lorebook_state WHERE chat_id = $1 AND persona = $2;

-- name: remember_lorebook
-- $1 chat, $2 persona, $3 what is remembered anew, by entry. What another topic's turn remembered meanwhile stays, and of
-- an entry that both know, the earlier first time and the later last one.
INSERT INTO lorebook_state AS kept (chat_id, persona, state)
VALUES ($1, $2, $3::jsonb)
ON CONFLICT (chat_id, persona) DO UPDATE SET state = kept.state || (
    SELECT coalesce(jsonb_object_agg(fresh.key, CASE
        WHEN kept.state -> fresh.key IS NULL THEN fresh.value
        ELSE jsonb_build_array(
            least((kept.state -> fresh.key ->> 0)::bigint, (fresh.value ->> 0)::bigint),
            greatest((kept.state -> fresh.key ->> 1)::bigint, (fresh.value ->> 1)::bigint))
        END), '{}')
    FROM jsonb_each(excluded.state) AS fresh
);

-- name: forget_lorebook
-- $1 chat, $2 persona, $3 the entries of its book: all others are forgotten, as after a change of the card.
UPDATE lorebook_state
SET state = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(state) WHERE key = ANY ($3::text[]))
WHERE chat_id = $1 AND persona = $2;
