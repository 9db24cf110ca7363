-- A message has terms for the days it speaks of, among its words: what may speak of one is indexed once more, by the job
-- that indexes what was kept before there was an index. Until then its vector finds it, and what stands beside it.
CREATE TEMPORARY TABLE again ON COMMIT DROP AS
SELECT chat_id, message_id, terms FROM messages
WHERE terms IS NOT NULL
    AND text ~* '[0-9]{4}|day|night|week|month|year|tomorrow|morning|afternoon|evening|spring|summer|autumn|fall|winter|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|[天周年月晚早]|星期|礼拜';
ANALYZE again;

WITH gone AS (
    DELETE FROM postings p USING again a WHERE p.chat_id = a.chat_id AND p.message_id = a.message_id
    RETURNING p.chat_id, p.term
), fewer AS (
    SELECT chat_id, term, count(*) AS messages FROM gone GROUP BY chat_id, term
)
UPDATE term_counts t SET messages = t.messages - f.messages FROM fewer f WHERE t.chat_id = f.chat_id AND t.term = f.term;

UPDATE chats c SET indexed_messages = indexed_messages - a.messages, indexed_terms = indexed_terms - a.terms
FROM (SELECT chat_id, count(*) AS messages, sum(terms) AS terms FROM again GROUP BY chat_id) AS a
WHERE c.chat_id = a.chat_id;

UPDATE messages m SET terms = NULL FROM again a WHERE m.chat_id = a.chat_id AND m.message_id = a.message_id;
