-- What replay needs of a turn beside ids and scores: the notes it began with, each answer of the model, what that was
-- taken for and led to. These are texts: whoever forgets a chat forgets them.
ALTER TABLE turns ADD COLUMN account jsonb;             -- NULL: a turn of before
