const own = `workspace_id = $2 AND mode = ANY ($3)`;
const ofPayout = `EXISTS (SELECT 1 FROM payouts AS p
  WHERE p.id = payout_id AND p.workspace_id = $2 AND p.mode = ANY ($3))`;
const ofDelivery = `EXISTS (SELECT 1 FROM webhook_deliveries AS d
  WHERE d.id = delivery_id AND d.workspace_id = $2 AND d.mode = ANY ($3))`;

/** Table, the column that its rows are named by, and which of them are a workspace's in these modes. */
type Way = [table: string, key: string, isOwn: string];

const resetRows: readonly Way[] = [
  ['attribution_decisions', 'conversion_id', own],
  ['clicks', 'id', own],
  ['commission_history', 'commission_id', own],
  ['conversion_aliases', 'alias', own],
  ['conversion_refunds', 'conversion_id', own],
  ['conversions', 'id', own],
  ['events', 'id', own],
  ['fraud_flags', 'conversion_id', own],
  ['ledger_entries', 'commission_id', own],
  ['payout_items', 'id', own],
  ['payout_items', 'payout_id', own],
  ['payout_lines', 'commission_id', ofPayout],
  ['payout_lines', 'item_id', ofPayout],
  ['payout_lines', 'payout_id', ofPayout],
  ['webhook_attempts', 'delivery_id', ofDelivery],
  ['commissions', 'id', own],
  ['conversion_settlements', 'conversion_id', own],
  ['payouts', 'id', own],
  ['webhook_deliveries', 'id', own],
  // The audit log is of both modes, so it goes with the workspace only.
  ['audit_log', 'id', `workspace_id = $2 AND 'live' = ANY ($3)`],
];

const named = ([table, key, isOwn]: Way): string => `('${table}', '${key}', $own$${isOwn}$own$)`;

const deleteResetRows = `
  CREATE FUNCTION delete_reset_rows(workspace uuid, target text, key text, keys text[])
  RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DECLARE
    condition text;
    modes text[];
    deleted bigint;
  BEGIN
    SELECT way.is_own INTO condition
      FROM (VALUES ${resetRows.map(named).join(', ')}) AS way (of_table, by_key, is_own)
     WHERE way.of_table = target AND way.by_key = key;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'rows of % are not deleted by %', target, key
        USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT CASE r.scope WHEN 'workspace' THEN ARRAY['test', 'live'] ELSE ARRAY['test'] END
      INTO modes FROM test_data_resets AS r
     WHERE r.workspace_id = workspace AND r.status = 'running';
    IF NOT FOUND THEN
      RAISE EXCEPTION 'no reset of test data is running' USING ERRCODE = 'insufficient_privilege';
    END IF;
    -- Thirty days less one for clocks that differ; the caller's idea of now counts for nothing.
    IF 'live' = ANY (modes) AND NOT EXISTS (SELECT 1 FROM workspaces AS w
         WHERE w.id = workspace AND w.closed_at IS NOT NULL
           AND w.closing_since <= now() - interval '29 days') THEN
      RAISE EXCEPTION 'the workspace is not closed' USING ERRCODE = 'insufficient_privilege';
    END IF;

    PERFORM set_config('app.purge', 'on', true);
    EXECUTE format('DELETE FROM %I WHERE %I = ANY ($1::%s[]) AND %s', target, key,
                   CASE key WHEN 'alias' THEN 'text' ELSE 'uuid' END, condition)
      USING keys, workspace, modes;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    PERFORM set_config('app.purge', '', true);
    RETURN deleted;
  END $$;
`;

/**
 * A batch of those that are done, the oldest first, by the primary key: the id is their time. What is
 * queued again while its row is waited for stays.
 */
const deleteOldDeliveries = `
  CREATE FUNCTION delete_old_deliveries(moment timestamptz, most int) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
  SET plan_cache_mode = force_custom_plan AS $$
  DECLARE
    -- What any setting keeps, less a day for clocks that differ: the caller's idea of now counts for nothing.
    bound uuid := first_id_at(least(moment, now() - interval '29 days'));
    deleted bigint;
  BEGIN
    DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM webhook_deliveries
       WHERE id < bound AND status IN ('succeeded', 'dead_letter', 'cancelled')
       ORDER BY id LIMIT most))
       AND status IN ('succeeded', 'dead_letter', 'cancelled');
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
  END $$;
`;

/**
 * Ways for a role that does not own the schema to delete rows: of test data while a reset runs, of a workspace that is
 * closed, and of deliveries that are done. A role that may delete and add a row of money or of a delivery can make
 * test data of one of live mode, and then of all that hangs on it.
 */
export const ownerDeletes = `
  ${deleteResetRows}
  ${deleteOldDeliveries}
  REVOKE EXECUTE ON FUNCTION delete_reset_rows(uuid, text, text, text[]),
    delete_old_deliveries(timestamptz, int) FROM PUBLIC;
`;
