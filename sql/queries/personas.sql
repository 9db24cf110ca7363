-- name: find_card
-- $1 sha256. No row when that file is not kept.
SELECT file FROM cards WHERE sha256 = $1;

-- name: keep_card
-- $1 sha256, $2 file. Told to be in use again if it is there; so nobody lets go of it meanwhile.
INSERT INTO cards (sha256, file) VALUES ($1, $2)
ON CONFLICT (sha256) DO UPDATE SET kept_at = now();

-- name: forget_cards
-- $1 seconds: what no chat has used for so long.
DELETE FROM cards c
WHERE c.kept_at < now() - make_interval(secs => $1)
    AND NOT EXISTS (SELECT FROM chat_personas p WHERE p.card = c.sha256);

-- name: forget_spare_cards
-- $1 bytes: of what no chat uses, the newest so many stay. One that is given again meanwhile is no longer of its old time.
DELETE FROM cards c
USING (
    SELECT s.sha256, s.kept_at, sum(octet_length(s.file)) OVER (ORDER BY s.kept_at DESC, s.sha256) AS bytes
    FROM cards s
    WHERE NOT EXISTS (SELECT FROM chat_personas p WHERE p.card = s.sha256)
) AS spare
WHERE c.sha256 = spare.sha256 AND c.kept_at = spare.kept_at AND spare.bytes > $1;

-- name: chat_persona
-- $1 chat. No row when it was never given one: CHARACTER_CARD's then.
SELECT card, persona, greeting, since, set_by FROM chat_personas WHERE chat_id = $1;

-- name: count_given
-- How many chats have a card of their own.
SELECT count(*) FROM chat_personas WHERE card IS NOT NULL;

-- name: persona_at
-- $1 source: what the persona is called that the chat there was given. No row: it has CHARACTER_CARD's.
SELECT p.persona FROM chat_addresses a JOIN chat_personas p USING (chat_id) WHERE a.source = $1 AND p.card IS NOT NULL;

-- name: set_persona
-- $1 chat, $2 card (NULL: CHARACTER_CARD's), $3 persona, $4 greeting, $5 by whom. When it is the same card as before,
-- only its greeting changes.
INSERT INTO chat_personas (chat_id, card, persona, greeting, set_by) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (chat_id) DO UPDATE
    SET card = EXCLUDED.card, persona = EXCLUDED.persona, greeting = EXCLUDED.greeting,
        since = CASE WHEN chat_personas.card IS DISTINCT FROM EXCLUDED.card THEN now() ELSE chat_personas.since END,
        set_by = CASE WHEN chat_personas.card IS DISTINCT FROM EXCLUDED.card THEN EXCLUDED.set_by
                      ELSE chat_personas.set_by END;

-- name: change_lanes
-- $1 chat. Another persona is awake, waits for nothing, and a turn of the one before that is under way begins anew.
UPDATE lanes SET rests_until = NULL, waits_until = NULL, generation = generation + 1 WHERE chat_id = $1;
