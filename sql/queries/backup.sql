-- name: our_schema
-- The schema that holds our tables; no row when there are none.
SELECT n.nspname AS name
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid = to_regclass('schema_migrations');

-- name: tables_to_keep
-- $1 schema. Its tables with the columns that are stored: no extension's tables, and not the record of migrations.
SELECT c.relname AS name, array_agg(a.attname ORDER BY a.attnum) AS columns
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_migrations'
    AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
    )
GROUP BY c.relname
ORDER BY c.relname;

-- name: sequence_values
-- $1 schema. Its sequences: the last value given, and the column that takes its values from there, if any does.
SELECT s.sequencename AS name, s.last_value, t.relname AS "table", a.attname AS "column"
FROM pg_sequences s
JOIN pg_class c ON c.oid = format('%I.%I', s.schemaname, s.sequencename)::regclass
LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
    AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
LEFT JOIN pg_class t ON t.oid = d.refobjid
LEFT JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
WHERE s.schemaname = $1
ORDER BY s.sequencename;

-- name: foreign_keys
-- $1 schema. As they would be written after ADD CONSTRAINT.
SELECT t.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition
FROM pg_constraint k
JOIN pg_class t ON t.oid = k.conrelid
JOIN pg_namespace n ON n.oid = t.relnamespace
WHERE n.nspname = $1 AND k.contype = 'f' AND k.conparentid = 0
ORDER BY k.oid;

-- name: contents_of_schema
-- $1 schema. What stands in it by itself, by the word that DROP has for it; a routine's arguments in brackets.
SELECT o.kind, o.name, o.arguments
FROM (
    SELECT CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
           relname, '', oid, relnamespace, 'pg_class'::regclass
    FROM pg_class
    WHERE relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT relispartition
    UNION ALL
    SELECT 'ROUTINE', proname, format('(%s)', pg_get_function_identity_arguments(oid)), oid, pronamespace, 'pg_proc'::regclass
    FROM pg_proc
    UNION ALL
    SELECT 'TYPE', t.typname, '', t.oid, t.typnamespace, 'pg_type'::regclass
    FROM pg_type t LEFT JOIN pg_class c ON c.oid = t.typrelid
    WHERE t.typtype IN ('e', 'd', 'r') OR c.relkind = 'c'
) AS o (kind, name, arguments, oid, namespace, catalog)
JOIN pg_namespace n ON n.oid = o.namespace
WHERE n.nspname = $1 AND NOT EXISTS (
    SELECT FROM pg_depend d WHERE d.classid = o.catalog AND d.objid = o.oid AND d.deptype IN ('a', 'e', 'i')
);

-- name: settle_session
-- Until the transaction ends: values print and read the same everywhere, no rows are hidden, and nothing is cut off
-- for taking long. $1 how long to wait for a lock.
SELECT set_config(s.name, wanted.value, true)
FROM pg_settings s
JOIN (
    VALUES ('DateStyle', 'ISO, YMD'), ('IntervalStyle', 'postgres'), ('TimeZone', 'UTC'), ('extra_float_digits', '3'),
           ('bytea_output', 'hex'), ('row_security', 'off'), ('statement_timeout', '0'),
           ('idle_in_transaction_session_timeout', '0'), ('transaction_timeout', '0'), ('lock_timeout', $1)
) AS wanted (name, value) ON wanted.name = s.name;

-- name: other_connections
-- How many others use this database.
SELECT count(*)
FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend';
