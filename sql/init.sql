-- Run once, by the database's container, when its volume is empty: the vector extension that its image has. pgvecto.rs
-- is put into the mode in which it understands pgvector's SQL, for every session, so that psql sees what the bot sees.
DO $$
DECLARE
    extension text := (
        SELECT name FROM pg_available_extensions
        WHERE name IN ('vchord', 'vector', 'vectors')
        ORDER BY name <> 'vchord', name <> 'vector' LIMIT 1
    );
BEGIN
    IF extension IS NULL THEN
        RAISE EXCEPTION 'this PostgreSQL has none of VectorChord, pgvector and pgvecto.rs; choose another POSTGRES_IMAGE';
    END IF;
    EXECUTE format('CREATE EXTENSION IF NOT EXISTS %I CASCADE', extension);
    IF extension = 'vectors' THEN
        EXECUTE format('ALTER DATABASE %I SET vectors.pgvector_compatibility = on', current_database());
    END IF;
END
$$;
