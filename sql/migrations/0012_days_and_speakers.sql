-- A message is found by the days it speaks of too, which are terms like its words; and whoever asks about somebody finds
-- first what they wrote. All is indexed once more, by the job that indexes what was kept before there was an index.
-- Until then vectors find it.
TRUNCATE postings, term_counts;
ALTER TABLE postings
    DROP CONSTRAINT postings_pkey,
    ADD COLUMN speaker int,                             -- a number for what its sender is called; NULL: nobody can tell
    ADD PRIMARY KEY (chat_id, term, message_id) INCLUDE (tf, length, topic, sent_at, speaker);
ALTER TABLE messages ADD COLUMN speaker int;            -- the same
UPDATE chats SET indexed_messages = 0, indexed_terms = 0;
UPDATE messages SET terms = NULL WHERE terms IS NOT NULL;
