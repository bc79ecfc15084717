/**
 * Totals and statistics of a million commissions come from counters by UTC day. A change appends
 * what it adds and takes away, so no two requests wait for one counter; a fold adds the appended
 * rows up now and then, and readers sum both.
 */
const counters = `
  CREATE TABLE commission_day_counts (
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    day date NOT NULL,
    status text NOT NULL,
    needs_review boolean NOT NULL,
    currency text NOT NULL,
    commissions bigint NOT NULL,
    amount_cents bigint NOT NULL,
    CONSTRAINT pk_commission_day_counts
      PRIMARY KEY (workspace_id, mode, program_id, day, status, needs_review, currency)
  );

  CREATE TABLE commission_count_deltas (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    workspace_id uuid NOT NULL,
    mode text NOT NULL,
    program_id uuid NOT NULL,
    day date NOT NULL,
    status text NOT NULL,
    needs_review boolean NOT NULL,
    currency text NOT NULL,
    commissions bigint NOT NULL,
    amount_cents bigint NOT NULL
  );
  CREATE INDEX ix_commission_count_deltas ON commission_count_deltas (workspace_id, mode);
`;

const deltaColumns =
  'workspace_id, mode, program_id, day, status, needs_review, currency, commissions, amount_cents';
const countedColumns = `workspace_id, mode, program_id, (created_at AT TIME ZONE 'UTC')::date,
  status, needs_review, currency`;

const countTriggers = `
  CREATE FUNCTION count_commissions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO commission_count_deltas (${deltaColumns})
      SELECT ${countedColumns}, count(*), sum(amount_cents) FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7;
    ELSIF TG_OP = 'DELETE' THEN
      INSERT INTO commission_count_deltas (${deltaColumns})
      SELECT ${countedColumns}, -count(*), -sum(amount_cents) FROM gone GROUP BY 1, 2, 3, 4, 5, 6, 7;
    ELSE
      INSERT INTO commission_count_deltas (${deltaColumns})
      SELECT ${countedColumns}, sum(n), sum(n * amount_cents)
        FROM (SELECT *, 1 AS n FROM added UNION ALL SELECT *, -1 FROM gone) AS change
       GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 OR sum(n * amount_cents) <> 0;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER commissions_counted_insert AFTER INSERT ON commissions
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_commissions();
  CREATE TRIGGER commissions_counted_update AFTER UPDATE ON commissions
    REFERENCING NEW TABLE AS added OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION count_commissions();
  CREATE TRIGGER commissions_counted_delete AFTER DELETE ON commissions
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION count_commissions();
`;

export const commissionCounts = `${counters} ${countTriggers}`;
