-- What a chat remembers of a persona's lorebook: which entries matched, and when, so that what sticks, cools down or
-- happens once does so over restarts. One row a chat and persona; entry → [first matched, active since], as counts of
-- the chat's messages. It holds no text.
CREATE TABLE lorebook_state (
    chat_id bigint NOT NULL REFERENCES chats ON DELETE CASCADE,
    persona text NOT NULL,
    state   jsonb NOT NULL,
    PRIMARY KEY (chat_id, persona)
);
