-- Which embedding model is in use is kept here, so that every process changes to another at the same moment.

ALTER TABLE embedding_models
    ADD COLUMN asks_dimension boolean NOT NULL DEFAULT false, -- its length was chosen, and its server is asked for it
    ADD COLUMN query_prefix   text NOT NULL DEFAULT '',     -- goes before a text to search with
    ADD COLUMN passage_prefix text NOT NULL DEFAULT '',     -- goes before a text to be found
    ADD COLUMN threshold_told boolean NOT NULL DEFAULT false, -- it was set or measured; else it is a guess
    ADD COLUMN state      text NOT NULL DEFAULT 'new'
               CHECK (state IN ('new', 'building', 'in use', 'kept', 'leaving')),
    ADD COLUMN since      timestamptz NOT NULL DEFAULT now(), -- it is in that state
    ADD COLUMN spared     boolean NOT NULL DEFAULT false,   -- while building: it was kept before, and stays if given up
    ADD COLUMN keeps_old  boolean NOT NULL DEFAULT false,   -- while building: what it replaces is kept
    ADD COLUMN waits_for  uuid[] NOT NULL DEFAULT '{}',     -- while leaving: claims of turns that may still search in it
    ADD COLUMN instead_of text[] NOT NULL DEFAULT '{}';     -- 'name/dimension' of what gave way: a setting that still names
                                                            -- one of these is out of date, and no wish
UPDATE embedding_models SET state = 'kept', threshold_told = name = 'use-multilingual-v3';

-- By their names these were given so far:
UPDATE embedding_models SET query_prefix = 'search_query: ', passage_prefix = 'search_document: '
WHERE lower(name) LIKE '%nomic-embed-text%' AND lower(name) NOT SIMILAR TO '%(instruct|mistral)%';
UPDATE embedding_models SET query_prefix = 'query: ', passage_prefix = 'passage: '
WHERE lower(name) LIKE '%e5-%' AND lower(name) NOT SIMILAR TO '%(nomic-embed-text|instruct|mistral)%';

-- What was edited since its vector was made, or while it was: it lies behind the progress, and is embedded once more.
CREATE TABLE to_embed_again (
    model_id   int NOT NULL REFERENCES embedding_models ON DELETE CASCADE,
    chat_id    bigint NOT NULL,
    message_id bigint NOT NULL,
    PRIMARY KEY (model_id, chat_id, message_id),
    FOREIGN KEY (chat_id, message_id) REFERENCES messages ON DELETE CASCADE
);
CREATE INDEX to_embed_again_by_message ON to_embed_again (chat_id, message_id);

CREATE UNIQUE INDEX embedding_model_in_use ON embedding_models (state) WHERE state = 'in use';
CREATE UNIQUE INDEX embedding_model_building ON embedding_models (state) WHERE state = 'building';
