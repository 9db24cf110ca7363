-- What a bot that lives in Telegram needs: which updates were taken, whose turn it is, and what is on its way out.
-- Leases are reckoned with the server's own clock, so that hosts need not agree on the time.

-- Update numbers are Telegram's, per bot; they can start again after a week of silence, so rows live a week.
CREATE TABLE inbox (
    bot_id      bigint NOT NULL,
    update_id   bigint NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    state       text NOT NULL CHECK (state IN ('done', 'ignored', 'quarantined')),
    raw         jsonb,                                  -- of a quarantined update only
    problem     text,                                   -- why; never a text of people's
    PRIMARY KEY (bot_id, update_id)
);
CREATE INDEX inbox_by_age ON inbox (received_at);

-- One process polls for a bot at a time.
CREATE TABLE pollers (
    bot_id      bigint PRIMARY KEY,
    owner       uuid NOT NULL,
    lease_until timestamptz NOT NULL
);

ALTER TABLE lanes
    ADD COLUMN source      text,                        -- where its answers go: the address of the last message
    ADD COLUMN due_at      timestamptz,                 -- a turn is wanted then; NULL: none is
    ADD COLUMN since       timestamptz,                 -- the first message of the burst that is being waited out
    ADD COLUMN owner       uuid,                        -- the process that runs its turn
    ADD COLUMN claim       uuid,                        -- of that one turn: what an earlier one still does comes to nothing
    ADD COLUMN lease_until timestamptz,
    ADD COLUMN generation  bigint NOT NULL DEFAULT 0,   -- grows when a turn that is under way must begin anew
    ADD COLUMN failures    int NOT NULL DEFAULT 0,      -- turns in a row that failed
    ADD COLUMN restarts    int NOT NULL DEFAULT 0;      -- turns in a row that began anew
CREATE INDEX lanes_due ON lanes (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE outbox (
    chat_id     bigint NOT NULL REFERENCES chats ON DELETE CASCADE,
    turn_id     uuid NOT NULL,
    n           int NOT NULL,                           -- which bubble of the turn, from 1
    source      text NOT NULL,
    topic       text NOT NULL,
    persona     text NOT NULL,
    text        text NOT NULL,
    reply_to    bigint,                                 -- our number of the message it answers
    state       text NOT NULL DEFAULT 'waiting'
                CHECK (state IN ('waiting', 'sending', 'sent', 'unknown', 'failed')),
    due_at      timestamptz NOT NULL DEFAULT now(),
    attempts    int NOT NULL DEFAULT 0,
    owner       uuid,
    lease_until timestamptz,
    sent_id     text,
    problem     text,
    traceparent text,                                   -- of the turn, so that sending is part of its trace
    queued_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (chat_id, turn_id, n),
    FOREIGN KEY (chat_id, turn_id) REFERENCES turns ON DELETE CASCADE
);
CREATE INDEX outbox_waiting ON outbox (due_at) WHERE state = 'waiting';
CREATE INDEX outbox_under_way ON outbox (chat_id, queued_at) WHERE state IN ('waiting', 'sending');
