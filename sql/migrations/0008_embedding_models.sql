-- Which embedding model is in use is kept here, so that every process changes to another at the same moment.

ALTER TABLE embedding_models
    ADD COLUMN asks_dimension boolean NOT NULL DEFAULT false, -- its length was chosen, and its server is asked for it
    ADD COLUMN state      text NOT NULL DEFAULT 'new'
               CHECK (state IN ('new', 'building', 'in use', 'kept', 'leaving')),
    ADD COLUMN since      timestamptz NOT NULL DEFAULT now(), -- it is in that state
    ADD COLUMN spared     boolean NOT NULL DEFAULT false,   -- while building: it was kept before, and stays if given up
    ADD COLUMN keeps_old  boolean NOT NULL DEFAULT false,   -- while building: what it replaces is kept
    ADD COLUMN waits_for  uuid[] NOT NULL DEFAULT '{}',     -- while leaving: claims of turns that may still search in it
    ADD COLUMN instead_of text[] NOT NULL DEFAULT '{}';     -- 'name/dimension' of what gave way: a setting that still names
                                                            -- one of these is out of date, and no wish
UPDATE embedding_models SET state = 'kept';
CREATE UNIQUE INDEX embedding_model_in_use ON embedding_models (state) WHERE state = 'in use';
CREATE UNIQUE INDEX embedding_model_building ON embedding_models (state) WHERE state = 'building';
