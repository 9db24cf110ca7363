-- What messages are found by beside their vectors: their words, and the stretch of talk that they are part of.

-- Which message has which term, how often. A row has all that finding by words needs, so that its index alone is read.
-- Nothing points to messages: an index for that would double the table. What goes out is known by the terms of its text.
CREATE TABLE postings (
    chat_id    bigint NOT NULL REFERENCES chats ON DELETE CASCADE,
    term       text COLLATE "C" NOT NULL,
    message_id bigint NOT NULL,
    topic      text NOT NULL,
    sent_at    timestamptz NOT NULL,
    tf         smallint NOT NULL,                       -- how often the message has the term
    length     smallint NOT NULL,                       -- how many terms the message has in all
    PRIMARY KEY (chat_id, term, message_id) INCLUDE (tf, length, topic, sent_at)
);

-- In how many messages of a chat a term is: exact, written together with the postings under the lock of the chat's row.
CREATE TABLE term_counts (
    chat_id  bigint NOT NULL REFERENCES chats ON DELETE CASCADE,
    term     text COLLATE "C" NOT NULL,
    messages bigint NOT NULL,
    PRIMARY KEY (chat_id, term)
) WITH (fillfactor = 70);                               -- room for the new version of a row beside it

ALTER TABLE chats
    ADD COLUMN indexed_messages bigint NOT NULL DEFAULT 0, -- how many messages have postings
    ADD COLUMN indexed_terms    bigint NOT NULL DEFAULT 0, -- the sum of their lengths
    ADD COLUMN sessions_from    timestamptz;            -- from here on sessions are to be told anew; NULL: all are right

-- A session is a stretch of talk in a topic without 30 silent minutes.
ALTER TABLE messages
    ADD COLUMN terms   smallint,                        -- how many it has; NULL: its words are not indexed yet
    ADD COLUMN session bigint;                          -- the number of the session's first message
CREATE INDEX messages_to_index ON messages (chat_id, message_id) WHERE terms IS NULL;
UPDATE chats SET sessions_from = '-infinity' WHERE last_message_id > 0;

-- What a chat's vectors of a model are like as a whole; told anew when their number has grown by a tenth.
CREATE TABLE chat_vectors (
    model_id  int NOT NULL REFERENCES embedding_models ON DELETE CASCADE,
    chat_id   bigint NOT NULL REFERENCES chats ON DELETE CASCADE,
    through   bigint NOT NULL,                          -- how far the chat was embedded then
    centroid  real[] NOT NULL,                          -- the mean of its unit vectors
    coherence real NOT NULL,                            -- how much messages that follow each other have to do with each other
    PRIMARY KEY (model_id, chat_id)
);
