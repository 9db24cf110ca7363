"""Turns that are run again: as they were recorded, by today's code, and what differs.

    otlp, wire      what a trace is made of, from JSON or protobuf
    tempo           traces by id and by TraceQL
    case            a turn as it was recorded, and how much of it survived
    from_trace, from_row, merge   cases out of traces, out of the database, and out of both
    rerun, retrieve               the modes
    report          stages side by side

Nothing here sends anything to Telegram, and nothing writes to the database.
"""
