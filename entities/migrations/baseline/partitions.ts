/**
 * What only grows and ages is kept in partitions, so that it is dropped and never deleted: events and
 * attempts by day, clicks, the audit log and decisions by month. The key is a UUID v7, whose first bits
 * are its time (of clicks the time itself): it stays the primary key, and a look-up by id touches one
 * partition. Deliveries stay one table: they are a queue, and a queue wants one index over what is open.
 */
export const firstPartitions = `
  SELECT ensure_click_partitions(now(), 4);
  SELECT ensure_partitions('events', 'id', 'day', now(), 4);
  SELECT ensure_partitions('webhook_attempts', 'delivery_id', 'day', now(), 4);
  SELECT ensure_partitions('audit_log', 'id', 'month', now(), 4);
  SELECT ensure_partitions('attribution_decisions', 'conversion_id', 'month', now(), 4);
`;

const firstIdAt = `
  -- The lowest UUID v7 of a moment: the bound of a partition.
  CREATE FUNCTION first_id_at(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(floor(extract(epoch FROM moment) * 1000)::bigint), 12, '0')
            || '00000000000000000000')::uuid
  $$;
`;

const cutPartition = `
  -- Makes one partition and moves there what the default partition caught of it. A range of which the
  -- default holds more is passed over. Returns how many it made.
  CREATE FUNCTION cut_partition(parent text, suffix text, key text, lower_end text, upper_end text)
  RETURNS int LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  DECLARE
    moved_at_most constant int := 10000;
    default_name text := parent || '_default';
    partition_name text := parent || '_' || suffix;
    within text := format('%I >= %L AND %I < %L', key, lower_end, key, upper_end);
    caught int;
  BEGIN
    IF to_regclass(partition_name) IS NOT NULL THEN
      RETURN 0;
    END IF;
    EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM %I WHERE %s LIMIT %s) AS few',
                   default_name, within, moved_at_most + 1) INTO caught;
    IF caught > moved_at_most THEN
      RETURN 0;
    END IF;

    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', partition_name, parent);
    IF caught > 0 THEN
      EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', default_name);
      PERFORM set_config('app.purge', 'on', true);
      EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %s RETURNING *)
                        INSERT INTO %I SELECT * FROM moved', default_name, within, partition_name);
      PERFORM set_config('app.purge', '', true);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
                   parent, partition_name, lower_end, upper_end);
    RETURN 1;
  END $$;
`;

const ensurePartitions = `
  CREATE FUNCTION ensure_partitions(
    parent text, key text, step text, moment timestamptz, ahead int)
  RETURNS int LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
  DECLARE
    lower_end timestamptz;
    made int := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions ' || parent));
    FOR place IN 0 .. ahead - 1 LOOP
      lower_end := date_trunc(step, moment) + place * ('1 ' || step)::interval;
      made := made + cut_partition(
        parent, to_char(lower_end, CASE step WHEN 'day' THEN 'YYYY_MM_DD' ELSE 'YYYY_MM' END), key,
        first_id_at(lower_end)::text, first_id_at(lower_end + ('1 ' || step)::interval)::text);
    END LOOP;
    RETURN made;
  END $$;

  CREATE FUNCTION ensure_click_partitions(moment timestamptz, months int) RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
  DECLARE
    lower_end timestamptz;
    made int := 0;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('ensure_click_partitions'));
    FOR place IN 0 .. months - 1 LOOP
      lower_end := date_trunc('month', moment) + make_interval(months => place);
      made := made + cut_partition('clicks', to_char(lower_end, 'YYYY_MM'), 'created_at',
                                   lower_end::text, (lower_end + interval '1 month')::text);
    END LOOP;
    RETURN made;
  END $$;
`;

/** What any setting keeps, less a day for clocks that differ: the caller's idea of now counts for nothing. */
const refuseKept = `
    IF (parent IN ('clicks', 'events', 'webhook_attempts')) IS NOT TRUE THEN
      RAISE EXCEPTION 'rows of % are kept', parent USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF (moment <= now() - CASE parent WHEN 'clicks' THEN interval '27 days'
                                      ELSE interval '30 days' END) IS NOT TRUE THEN
      RAISE EXCEPTION 'rows of % since then are kept', parent
        USING ERRCODE = 'insufficient_privilege';
    END IF;`;

const dropPartitions = `
  CREATE FUNCTION drop_partitions(parent text, moment timestamptz) RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
  DECLARE
    found record;
    dropped int := 0;
  BEGIN
    ${refuseKept}
    FOR found IN
      SELECT c.relname AS name, right(c.relname, -length(parent) - 1) AS suffix
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = parent::regclass ORDER BY 1
    LOOP
      CONTINUE WHEN found.suffix !~ '^\\d{4}_\\d\\d(_\\d\\d)?$';
      CONTINUE WHEN moment < CASE length(found.suffix)
        WHEN 10 THEN to_timestamp(found.suffix, 'YYYY_MM_DD') + interval '1 day'
        ELSE to_timestamp(found.suffix, 'YYYY_MM') + interval '1 month' END;
      EXECUTE format('DROP TABLE %I', found.name);
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$;
`;

/** The ids of all three are in the order of their times, and lead an index. */
const deleteStrays = `
  -- Deletes some of the rows of before a moment that lie in the default partition, the oldest first.
  CREATE FUNCTION delete_strays(parent text, moment timestamptz, most int) RETURNS int
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    key text := CASE parent WHEN 'webhook_attempts' THEN 'delivery_id' ELSE 'id' END;
    deleted int;
  BEGIN
    ${refuseKept}
    EXECUTE format('DELETE FROM %I WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM %I WHERE %I < $1 ORDER BY %I LIMIT $2))',
      parent || '_default', parent || '_default', key, key)
      USING first_id_at(moment), most;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
  END $$;
`;

/**
 * The role that serves requests makes and drops partitions by functions of the owner: which of them it
 * may call, the deploy step says. A default partition that has caught a lot keeps it: to move it would
 * stop its table for longer than a statement may take. What lies there past its time is deleted in
 * batches, apart from the drop, which holds up all traffic of the table.
 */
export const partitionFunctions = `
  ${[firstIdAt, cutPartition, ensurePartitions, dropPartitions, deleteStrays].join('\n')}
  REVOKE EXECUTE ON FUNCTION cut_partition(text, text, text, text, text),
    ensure_click_partitions(timestamptz, int),
    ensure_partitions(text, text, text, timestamptz, int),
    drop_partitions(text, timestamptz), delete_strays(text, timestamptz, int) FROM PUBLIC;
`;
