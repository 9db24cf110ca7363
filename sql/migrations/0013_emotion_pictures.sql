-- A message of the bot may have one of its card's pictures with it, by the name that the card gives it.

ALTER TABLE outbox ADD COLUMN emotion text;             -- which picture of the card in `picture`; NULL: that of its character
ALTER TABLE outbox ADD CONSTRAINT outbox_emotion_of_a_card CHECK (emotion IS NULL OR picture IS NOT NULL);
ALTER TABLE messages ADD COLUMN emotion text;           -- what the picture is called that went with it; NULL: none, or not of this kind
