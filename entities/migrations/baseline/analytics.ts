const noLink = `'00000000-0000-0000-0000-000000000000'::uuid`;

/**
 * "measure" is clicks, conversions, and of these new_customers, renewals and leads, fraud_flags, or
 * revenue: with a currency. "minutes" is the
 * length of what a row sums: 15, 1440, or 43200 for a UTC month. Keys end in the value, so that a
 * range of the index is all that a reader needs.
 */
const tables = `
  CREATE TABLE analytics_facts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    link_id uuid NOT NULL,
    promo_code text COLLATE "C" NOT NULL,
    measure text COLLATE "C" NOT NULL,
    start timestamptz NOT NULL,
    value bigint NOT NULL
  );

  CREATE TABLE analytics_rollups (
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    link_id uuid NOT NULL,
    promo_code text COLLATE "C" NOT NULL,
    measure text COLLATE "C" NOT NULL,
    minutes int NOT NULL,
    start timestamptz NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT pk_analytics_rollups
      PRIMARY KEY (program_id, measure, minutes, start, participant_id, link_id, promo_code)
      INCLUDE (value)
  );
  CREATE INDEX ix_analytics_rollups_link ON analytics_rollups (link_id, measure, minutes, start)
    WHERE link_id <> ${noLink};
  CREATE INDEX ix_analytics_rollups_code
    ON analytics_rollups (program_id, promo_code, measure, minutes, start) WHERE promo_code <> '';
  -- A reset deletes test data only.
  CREATE INDEX ix_analytics_rollups_test ON analytics_rollups (workspace_id) WHERE mode = 'test';
  -- All clicks of a participant, those of dropped months too, are a look-up in the sums by month.
  CREATE INDEX ix_analytics_rollups_participant ON analytics_rollups (participant_id, measure)
    INCLUDE (value) WHERE minutes = 43200;

  CREATE TABLE analytics_totals (
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    measure text COLLATE "C" NOT NULL,
    minutes int NOT NULL,
    start timestamptz NOT NULL,
    value bigint NOT NULL,
    CONSTRAINT pk_analytics_totals PRIMARY KEY (program_id, measure, minutes, start) INCLUDE (value)
  );
  CREATE INDEX ix_analytics_totals_test ON analytics_totals (workspace_id) WHERE mode = 'test';

  -- One row. Clicks recorded by earlier transactions than this one are in the sums; all of those
  -- transactions are over. Who folds or rebuilds holds the row's lock.
  CREATE TABLE analytics_state (
    id int CONSTRAINT pk_analytics_state PRIMARY KEY CONSTRAINT ck_analytics_state_one CHECK (id = 1),
    folded_before bigint NOT NULL
  );
  INSERT INTO analytics_state
  VALUES (1, pg_snapshot_xmin(pg_current_snapshot())::text::bigint);
`;

/** Before 1973 some zones were off by seconds: such a moment is a quarter of its own. */
const startFunction = `
  CREATE FUNCTION analytics_start(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN at < '1973-01-01T00:00:00Z' THEN at
                ELSE date_bin('15 minutes', at, '1973-01-01T00:00:00Z') END
  $$;
`;

const dimensions = 'workspace_id, mode, program_id, participant_id, link_id, promo_code';

/** What a conversion `v` counts for. Only attributed ones count, less what was refunded. */
const ofConversion = `v.workspace_id, v.mode, v.program_id, v.participant_id,
  coalesce(v.link_id, ${noLink}) AS link_id,
  CASE WHEN v.matched_by = 'promo_code' THEN coalesce(v.promo_code, '') ELSE '' END AS promo_code`;
/** Reported as one, or a later payment that nothing but the customer credits. */
const ofRenewal = `v.event_type = 'renewal'
  OR v.matched_by = 'customer' AND NOT v.new_customer AND v.amount_cents > 0`;
const conversionValues = `(VALUES ('conversions', 1::bigint),
  ('new_customers', v.new_customer::int::bigint),
  ('renewals', (${ofRenewal})::int::bigint),
  ('leads', (v.amount_cents = 0)::int::bigint),
  ('revenue:' || v.currency, v.amount_cents - v.refunded_amount_cents)) AS counted (measure, value)`;

const triggers = `
  CREATE FUNCTION note_conversions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO analytics_facts (${dimensions}, measure, start, value)
      SELECT ${ofConversion}, measure, analytics_start(v.occurred_at), value
        FROM added AS v CROSS JOIN LATERAL ${conversionValues}
       WHERE v.attributed AND value <> 0;
    ELSE
      INSERT INTO analytics_facts (${dimensions}, measure, start, value)
      SELECT ${dimensions}, measure, start, sum(value) FROM (
        SELECT ${ofConversion}, measure, analytics_start(v.occurred_at) AS start, value
          FROM added AS v CROSS JOIN LATERAL ${conversionValues} WHERE v.attributed
        UNION ALL
        SELECT ${ofConversion}, measure, analytics_start(v.occurred_at), -value
          FROM gone AS v CROSS JOIN LATERAL ${conversionValues} WHERE v.attributed) AS change
       GROUP BY ${dimensions}, measure, start HAVING sum(value) <> 0;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER conversions_noted_insert AFTER INSERT ON conversions
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_conversions();
  CREATE TRIGGER conversions_noted_update AFTER UPDATE ON conversions
    REFERENCING NEW TABLE AS added OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION note_conversions();

  CREATE FUNCTION note_fraud_flags() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO analytics_facts (${dimensions}, measure, start, value)
    SELECT ${ofConversion}, 'fraud_flags', analytics_start(f.occurred_at), 1
      FROM added AS f JOIN conversions AS v ON v.id = f.conversion_id;
    RETURN NULL;
  END $$;
  CREATE TRIGGER fraud_flags_noted AFTER INSERT ON fraud_flags
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_fraud_flags();
`;

/**
 * What the sums of these programmes lack, as of the caller's snapshot. The plan is made once and
 * cannot know that few clicks are new, so only the way by the index is open to it.
 */
const unfolded = `
  CREATE FUNCTION analytics_unfolded(programs uuid[])
  RETURNS TABLE (program_id uuid, participant_id uuid, link_id uuid, promo_code text, measure text,
                 start timestamptz, value bigint)
  LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan
  AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
      SELECT c.program_id, c.participant_id, c.link_id, '', 'clicks', c.created_at, 1::bigint
        FROM clicks AS c
       WHERE c.recorded_in >= (SELECT folded_before FROM analytics_state)
         AND c.program_id = ANY (programs)
      UNION ALL
      SELECT f.program_id, f.participant_id, f.link_id, f.promo_code, f.measure, f.start, f.value
        FROM analytics_facts AS f WHERE f.program_id = ANY (programs);
  END $$;
`;

/**
 * Sums the raw rows of whole UTC months again, all but what is still to be folded. Requests go on
 * meanwhile; folds wait. Clicks are not kept for ever: where none is left, their sums stay.
 */
const rebuild = `
  CREATE FUNCTION analytics_rebuild(since timestamptz, before timestamptz) RETURNS bigint
  LANGUAGE plpgsql AS $$
  DECLARE
    folded bigint;
    has_clicks boolean;
    written bigint;
  BEGIN
    SELECT folded_before INTO folded FROM analytics_state FOR UPDATE;
    SELECT EXISTS (SELECT 1 FROM clicks WHERE created_at >= since AND created_at < before)
      INTO has_clicks;
    DELETE FROM analytics_rollups
     WHERE start >= since AND start < before AND (has_clicks OR measure <> 'clicks');
    DELETE FROM analytics_totals
     WHERE start >= since AND start < before AND (has_clicks OR measure <> 'clicks');

    WITH raw AS (
      SELECT workspace_id, mode, program_id, participant_id, link_id, '' AS promo_code,
             'clicks' AS measure, analytics_start(created_at) AS start, count(*) AS value
        FROM clicks
       WHERE created_at >= since AND created_at < before
         AND (recorded_in IS NULL OR recorded_in < folded)
       GROUP BY 1, 2, 3, 4, 5, 8
      UNION ALL
      SELECT ${ofConversion}, measure, analytics_start(v.occurred_at), value
        FROM conversions AS v CROSS JOIN LATERAL ${conversionValues}
       WHERE v.occurred_at >= since AND v.occurred_at < before AND v.attributed
      UNION ALL
      SELECT ${ofConversion}, 'fraud_flags', analytics_start(f.occurred_at), 1
        FROM fraud_flags AS f JOIN conversions AS v ON v.id = f.conversion_id
       WHERE f.occurred_at >= since AND f.occurred_at < before
      UNION ALL
      SELECT ${dimensions}, measure, start, -value
        FROM analytics_facts AS f WHERE f.start >= since AND f.start < before
    ), quarter AS MATERIALIZED (
      SELECT ${dimensions}, measure, start, sum(value)::bigint AS value FROM raw
       GROUP BY ${dimensions}, measure, start HAVING sum(value) <> 0
    ), rollup AS (
      INSERT INTO analytics_rollups (${dimensions}, measure, minutes, start, value)
      SELECT ${dimensions}, measure, 15, start, value FROM quarter
      UNION ALL
      SELECT ${dimensions}, measure, 1440, date_bin('1 day', start, '1973-01-01T00:00:00Z'),
             sum(value) FROM quarter GROUP BY ${dimensions}, measure, 9
      UNION ALL
      SELECT ${dimensions}, measure, 43200, date_trunc('month', start, 'UTC'), sum(value)
        FROM quarter GROUP BY ${dimensions}, measure, 9
       ORDER BY 3, 7, 8, 9, 4
    ), total AS (
      INSERT INTO analytics_totals (workspace_id, mode, program_id, measure, minutes, start, value)
      SELECT workspace_id, mode, program_id, measure, 15, start, sum(value)
        FROM quarter GROUP BY 1, 2, 3, 4, 6
      UNION ALL
      SELECT workspace_id, mode, program_id, measure, 1440,
             date_bin('1 day', start, '1973-01-01T00:00:00Z'), sum(value)
        FROM quarter GROUP BY 1, 2, 3, 4, 6
      UNION ALL
      SELECT workspace_id, mode, program_id, measure, 43200, date_trunc('month', start, 'UTC'),
             sum(value) FROM quarter GROUP BY 1, 2, 3, 4, 6
    )
    SELECT count(*) INTO written FROM quarter;
    RETURN written;
  END $$;
`;

/**
 * Sums by quarter of an hour, UTC day and UTC month, so that the days of every time zone add up
 * exactly. Nothing that a request does waits for a sum: conversions and fraud flags append facts,
 * clicks are their own facts, and a loop folds both into the sums. Readers add what is not folded.
 */
export const analytics = [tables, startFunction, triggers, unfolded, rebuild].join('\n');
