-- A turn's trace links to where each message that it reads was received. What is read has been linked to, and forgets it.
ALTER TABLE messages ADD COLUMN traceparent text;       -- W3C trace context of its update; NULL: read, or not from Telegram
