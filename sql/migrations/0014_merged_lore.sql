-- What is remembered of a lorebook's entries, with what a turn remembers: what another topic's turn remembered meanwhile
-- stays; of what both know, the first time and the last one. `gone` are entries that the book has no more.
CREATE FUNCTION merged_lore(kept jsonb, fresh jsonb, gone text[])
RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT (kept - gone) || coalesce(jsonb_object_agg(each.key, CASE
        WHEN kept -> each.key IS NULL THEN each.value
        ELSE jsonb_build_array(
            least((kept -> each.key ->> 0)::bigint, (each.value ->> 0)::bigint),
            greatest((kept -> each.key ->> 1)::bigint, (each.value ->> 1)::bigint))
        END), '{}')
    FROM jsonb_each(fresh) AS each
$$;
