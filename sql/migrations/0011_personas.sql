-- Who the bot is in a chat: the character card that somebody gave it there, else that of CHARACTER_CARD.

-- The files, each once however many chats use it. The file is the truth; what it was called is not kept.
CREATE TABLE cards (
    sha256  text PRIMARY KEY,                           -- of the file, in hex
    file    bytea NOT NULL CHECK (octet_length(file) <= 16777216),
    kept_at timestamptz NOT NULL DEFAULT now()          -- last given to a chat; what no chat uses goes a day later
);

CREATE TABLE chat_personas (
    chat_id  bigint PRIMARY KEY REFERENCES chats ON DELETE CASCADE,
    card     text REFERENCES cards,                     -- NULL: that of CHARACTER_CARD
    persona  text NOT NULL,                             -- its name, by which it knows its own words
    greeting int,                                       -- with which of its greetings it began; NULL: with none
    since    timestamptz NOT NULL DEFAULT now(),
    set_by   text                                       -- who gave it, as the chat's source numbers people
);
CREATE INDEX chat_personas_by_card ON chat_personas (card);

-- Notes, rest and waiting of a lane are those of one persona; another does not take them for its own.
ALTER TABLE lanes ADD COLUMN persona text;              -- NULL: of before, anyone's

-- What others said as the bot is told apart by this alone, and is nothing where there was one persona only.
CREATE INDEX messages_by_persona ON messages (chat_id, persona, message_id) WHERE persona IS NOT NULL;

-- Commands that were taken and are not carried out yet: that takes requests, and no transaction waits for one. Who
-- carries one out holds it; the answer, what it changes and the end of its row are one transaction.
CREATE TABLE commands (
    bot_id      bigint NOT NULL,
    update_id   bigint NOT NULL,
    chat_id     bigint NOT NULL REFERENCES chats ON DELETE CASCADE,
    source      text NOT NULL,                          -- where the answer goes
    topic       text NOT NULL,
    external_id text NOT NULL,                          -- of the message that it is
    asked       jsonb NOT NULL,
    due_at      timestamptz NOT NULL DEFAULT now(),
    attempts    int NOT NULL DEFAULT 0,
    claim       uuid,
    lease_until timestamptz,
    queued_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (bot_id, update_id)
);
CREATE INDEX commands_by_chat ON commands (chat_id, queued_at, update_id);

ALTER TABLE outbox ADD COLUMN picture text;             -- the card whose picture goes with the text; NULL: none
