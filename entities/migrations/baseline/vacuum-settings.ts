interface Vacuum {
  share: number;
  rows: number;
}

/**
 * The tables whose vacuum cannot wait for the default, a fifth of dead rows: of a queue or a large
 * table that is far too much.
 */
export const hotTables: Readonly<Record<string, Vacuum>> = {
  outbox: { share: 0, rows: 1_000 },
  commission_count_deltas: { share: 0, rows: 1_000 },
  idempotency_keys: { share: 0.02, rows: 1_000 },
  webhook_endpoints: { share: 0.02, rows: 200 },
  webhook_deliveries: { share: 0.02, rows: 1_000 },
  stripe_events: { share: 0.02, rows: 1_000 },
  commissions: { share: 0.02, rows: 1_000 },
  conversions: { share: 0.02, rows: 1_000 },
};

export const vacuumSettings = Object.entries(hotTables)
  .map(
    ([table, { share, rows }]) => `ALTER TABLE ${table} SET (
      autovacuum_vacuum_scale_factor = ${share}, autovacuum_vacuum_threshold = ${rows},
      autovacuum_vacuum_insert_scale_factor = 0.05);`,
  )
  .join('\n');
