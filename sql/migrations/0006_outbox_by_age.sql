-- What was said is let go of after a week, and what somebody died over is looked for without reading all that was ever said.
CREATE INDEX outbox_by_age ON outbox (queued_at);
CREATE INDEX outbox_sending ON outbox (lease_until) WHERE state = 'sending';
