import { erasedEmail, erasedName } from '../../entities/rules/erasure/erasure';
import { enqueueSql } from '../journal/outbox';

/**
 * Everything that a reset deletes, in its order: the one place where a table of test data is named.
 * A workspace that was closed goes by the same steps in all modes, and closed-workspace.ts has what
 * it has besides. SQL texts take named parameters: `:workspace`, `:modes`, `:all` (whether it is a
 * closed workspace), `:reset`, `:closed` (when the last programme was gone), `:limit`, `:now`.
 */
export interface OwnedRows {
  table: string;
  /** Which rows belong to the owners, whose ids are `$1`. */
  of: string;
  /** The column behind `of`, where it is no more than that. */
  key?: string;
  /** Rows with rows of their own have an `id`. */
  owns?: readonly OwnedRows[];
  /** Work with the ids of these rows, as `:ids`, before they go. */
  first?: string;
}

export interface ResetStep {
  name: string;
  /** Rows of the first table that go in one transaction, with all that they own; `rowsAtOnce`, if not said. */
  batch?: number;
  /** Selects the `id` of rows of `rows.table`; they go with all that they own, whole or not at all. */
  pick?: string;
  /** The rows that go: their ids, or what `key` names, are what `pick` gave. */
  rows?: Omit<OwnedRows, 'of'>;
  /** A statement in place of `pick`: deletes a batch of this table itself. */
  statement?: { table: string; sql: string };
  /** A statement in place of `pick`: another room deletes rows of its table, given their `id` and `feedId`. */
  notices?: { table: string; sql: string };
  /** Writers of these tables that are under way are waited for first. */
  after?: readonly string[];
}

/** Deletes a batch of the rows `t` of a table; `from` is what follows FROM, conditions included. */
export function deleting(table: string, from: string): ResetStep['statement'] & object {
  const sql = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT t.ctid FROM ${from} LIMIT :limit))`;
  return { table, sql };
}

/** Rows with this condition go, with all that they own, under a lock. */
function taking(rows: Omit<OwnedRows, 'of'>, where: string): Pick<ResetStep, 'pick' | 'rows'> {
  return { pick: `SELECT id FROM ${rows.table} WHERE ${where} LIMIT :limit FOR UPDATE`, rows };
}

const by = (column: string): string => `${column} = ANY ($1)`;
export const plain = (table: string, column: string): OwnedRows => ({
  table,
  of: by(column),
  key: column,
});

const inModes = `workspace_id = :workspace AND mode = ANY (:modes::text[])`;
const targets = (kind: 'program' | 'participant' | 'partner'): string =>
  `(SELECT target_id FROM test_data_reset_targets WHERE reset_id = :reset AND kind = '${kind}')`;
const ofTargets = `program_id IN ${targets('program')}`;

const payoutItems: Omit<OwnedRows, 'of'> = {
  table: 'payout_items',
  owns: [plain('payout_lines', 'item_id'), plain('payout_batch_items', 'item_id')],
};

const participants: Omit<OwnedRows, 'of'> = {
  table: 'participants',
  // What hangs on a participant without a foreign key is looked for by its id later on.
  first: `INSERT INTO test_data_reset_targets (reset_id, kind, target_id)
    SELECT :reset::uuid, t.kind, t.id FROM participants AS p
     CROSS JOIN LATERAL (VALUES ('participant', p.id), ('partner', p.partner_id)) AS t (kind, id)
     WHERE p.id = ANY (:ids::uuid[]) ON CONFLICT DO NOTHING`,
  owns: [
    {
      table: 'idempotency_keys',
      of: `(principal_id, mode) IN (SELECT partner_id, mode FROM participants WHERE id = ANY ($1))
        AND EXISTS (SELECT 1 FROM participants AS p WHERE p.id = ANY ($1)
          AND p.partner_id = principal_id AND path LIKE '/api/v1/partner/programs/' || p.program_id || '/%')`,
    },
    { ...payoutItems, of: by('participant_id') },
    plain('group_memberships', 'participant_id'),
    plain('reached_steps', 'participant_id'),
    plain('earned_bonuses', 'participant_id'),
    plain('referral_tokens', 'participant_id'),
    plain('promo_codes', 'participant_id'),
    plain('biller_codes', 'participant_id'),
    plain('tracking_links', 'participant_id'),
  ],
};

const imports: Omit<OwnedRows, 'of'> = {
  table: 'imports',
  owns: [
    plain('import_rows', 'import_id'),
    plain('import_sales', 'import_id'),
    { table: 'import_files', of: by('import_id'), owns: [plain('import_chunks', 'file_id')] },
  ],
};
const ofImports = `import_id IN (SELECT i.id FROM imports AS i WHERE i.${ofTargets})`;

const payouts: Omit<OwnedRows, 'of'> = {
  table: 'payouts',
  owns: [
    plain('payout_lines', 'payout_id'),
    // Their workflows find no row, and end.
    {
      ...plain('payout_batches', 'payout_id'),
      owns: [plain('payout_batch_items', 'batch_id')],
    },
    plain('payout_items', 'payout_id'),
  ],
};

/** Narrow rows that nothing hangs on: more of them go at once. */
function manyOf(name: string, table: string, where: string): ResetStep {
  const from = `${table} AS t WHERE ${where}`;
  return { name, batch: 20_000, statement: deleting(table, from) };
}

/**
 * First the programmes close: codes, links, partners and the programmes themselves. From then on no
 * click, report or application finds them. A programme goes with whatever was added to it meanwhile.
 */
export const closingSteps: readonly ResetStep[] = [
  {
    name: 'payout lines',
    batch: 5_000,
    pick: `SELECT l.commission_id AS id FROM payouts AS p JOIN payout_lines AS l ON l.payout_id = p.id
      WHERE p.${ofTargets} LIMIT :limit`,
    rows: { table: 'payout_lines', key: 'commission_id' },
  },
  {
    name: 'partners',
    batch: 200,
    ...taking(participants, `${ofTargets} ORDER BY id`),
  },
  {
    name: 'invites',
    ...taking({ table: 'partner_invites' }, ofTargets),
  },
  {
    name: 'payouts',
    batch: 50,
    ...taking(payouts, ofTargets),
  },
  manyOf('rows of imports', 'import_rows', ofImports),
  manyOf('sales of imports', 'import_sales', ofImports),
  manyOf('records of imports', 'imported_records', ofTargets),
  {
    name: 'programmes',
    batch: 1,
    pick: `SELECT id FROM programs WHERE id IN ${targets('program')} LIMIT :limit FOR UPDATE`,
    rows: {
      table: 'programs',
      owns: [
        { ...payouts, of: by('program_id') },
        { ...participants, of: by('program_id') },
        plain('partner_invites', 'program_id'),
        plain('former_terms', 'program_id'),
        plain('former_statuses', 'program_id'),
        plain('imported_records', 'program_id'),
        { ...imports, of: by('program_id') },
        plain('program_fraud_rules', 'program_id'),
        plain('program_groups', 'program_id'),
        plain('program_tiers', 'program_id'),
        plain('program_bonuses', 'program_id'),
      ],
    },
  },
];

/** The sums of the ledger, which stay of a closed workspace. */
const addToSums = `INSERT INTO closed_ledger_sums AS s
    (workspace_id, mode, year, currency, type, entries, amount_cents)
  SELECT workspace_id, mode, extract(year FROM created_at AT TIME ZONE 'UTC')::int, currency, type,
         count(*), sum(amount_cents)
    FROM ledger_entries WHERE commission_id = ANY (:ids::uuid[]) AND :all::boolean
   GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT ON CONSTRAINT pk_closed_ledger_sums DO UPDATE
    SET entries = s.entries + EXCLUDED.entries, amount_cents = s.amount_cents + EXCLUDED.amount_cents`;

const commissions: Omit<OwnedRows, 'of'> = {
  table: 'commissions',
  first: `WITH summed AS (${addToSums})
    ${
      // Their workflows read the row once more, and end.
      enqueueSql({
        topic: 'commission',
        ref: 'id',
        workspaceId: 'workspace_id',
        availableAt: ':now',
        from: `commissions WHERE id = ANY (:ids::uuid[]) AND status = 'pending'`,
      })
    }`,
  owns: [
    plain('payout_lines', 'commission_id'),
    plain('commission_history', 'commission_id'),
    plain('ledger_entries', 'commission_id'),
  ],
};

const deliveries: Omit<OwnedRows, 'of'> = {
  table: 'webhook_deliveries',
  owns: [plain('webhook_attempts', 'delivery_id')],
};

function countsOfTargets(name: string, table: string): ResetStep {
  return manyOf(name, table, `${inModes} AND ${ofTargets}`);
}

const gone = (table: string, id: string): string =>
  `NOT EXISTS (SELECT 1 FROM ${table} AS owner WHERE owner.id = ${id})`;

/**
 * The last steps, which delete what was written until then; a conversion or payment always goes
 * with all that is its own.
 */
export const clearingSteps: readonly ResetStep[] = [
  {
    name: 'Stripe events',
    ...taking({ table: 'stripe_events' }, `${inModes} AND received_at < :closed`),
  },
  {
    name: 'conversions',
    // Conversions of programmes that came later stay.
    pick: `SELECT id FROM conversions
      WHERE ${inModes} AND (program_id IS NOT NULL OR created_at < :closed)
        AND ${gone('programs', 'program_id')} LIMIT :limit FOR UPDATE`,
    rows: {
      table: 'conversions',
      owns: [
        { ...commissions, of: by('conversion_id') },
        plain('fraud_flags', 'conversion_id'),
        plain('attribution_decisions', 'conversion_id'),
        plain('conversion_refunds', 'conversion_id'),
        plain('conversion_settlements', 'conversion_id'),
      ],
    },
  },
  {
    name: 'Stripe payments',
    ...taking(
      { table: 'stripe_payments', owns: [plain('stripe_objects', 'payment_id')] },
      `${inModes} AND created_at < :closed AND ${gone('conversions', 'conversion_id')}`,
    ),
  },
  {
    name: 'commissions',
    ...taking(commissions, ofTargets),
  },
  {
    name: 'transaction ids',
    batch: 5_000,
    pick: `SELECT alias AS id FROM conversion_aliases
      WHERE ${inModes} AND ${gone('conversions', 'conversion_id')} LIMIT :limit`,
    rows: { table: 'conversion_aliases', key: 'alias' },
  },
  {
    name: 'customers',
    batch: 5_000,
    // Customers of programmes that came later stay; their ids go with them.
    ...taking(
      {
        table: 'customers',
        owns: [plain('customer_aliases', 'customer'), plain('customer_bindings', 'customer')],
      },
      `${inModes} AND created_at < :closed AND ${gone('programs', 'program_id')}`,
    ),
  },
  {
    name: 'clicks',
    pick: `SELECT c.id FROM ${targets('participant')} AS t
      JOIN clicks AS c ON c.participant_id = t.target_id LIMIT :limit`,
    rows: { table: 'clicks' },
  },
  {
    name: 'origins of clicks',
    statement: deleting(
      'click_origins',
      `click_origins AS t WHERE ${inModes} AND last_seen_at < :closed`,
    ),
  },
  {
    name: 'state of the script',
    statement: deleting(
      'tracking_states',
      `tracking_states AS t WHERE ${inModes} AND greatest(last_click_at, unknown_ref_at) < :closed`,
    ),
  },
  {
    name: 'events',
    // An event whose object is still there is one of a programme that came later.
    pick: `SELECT id FROM events
      WHERE ${inModes} AND occurred_at < :closed AND ${gone('conversions', 'object_id')}
        AND ${gone('commissions', 'object_id')} AND ${gone('participants', 'object_id')}
        AND ${gone('payouts', 'object_id')} LIMIT :limit FOR UPDATE`,
    rows: {
      table: 'events',
      owns: [
        {
          ...deliveries,
          // The condition is in two halves, of which each fits a partial index.
          of: `(${by('event_id')} AND replay_of IS NULL) OR (${by('event_id')} AND replay_of IS NOT NULL)`,
        },
      ],
    },
  },
  {
    name: 'deliveries',
    after: ['webhook_deliveries'],
    ...taking(
      deliveries,
      `endpoint_id IN (SELECT id FROM webhook_endpoints WHERE ${inModes})
        AND ${gone('events', 'event_id')}`,
    ),
  },
  {
    name: 'replays of dead letters',
    ...taking({ table: 'webhook_requeues' }, `${inModes} AND created_at < :closed`),
  },
  {
    name: 'notifications',
    after: ['notifications'],
    notices: {
      table: 'notifications',
      sql: `SELECT id, feed_id AS "feedId" FROM notifications
        WHERE (feed_id = :workspace OR feed_id IN ${targets('partner')}) AND ${inModes}
          AND (created_at < :closed OR ${gone('events', 'cause_id')}) LIMIT :limit`,
    },
  },
  {
    name: 'mails',
    batch: 5_000,
    ...taking({ table: 'mails' }, `${inModes} AND created_at < :closed`),
  },
  {
    name: 'stored answers',
    // A request that is under way keeps its claim.
    statement: deleting(
      'idempotency_keys',
      `(SELECT id FROM api_keys WHERE ${inModes}
        UNION ALL SELECT id FROM merchant_accounts WHERE workspace_id = :workspace) AS principal
       JOIN idempotency_keys AS t ON t.principal_id = principal.id AND t.mode = ANY (:modes::text[])
      WHERE t.answer IS NOT NULL AND t.created_at < :closed`,
    ),
  },
  countsOfTargets('facts of analytics', 'analytics_facts'),
  { ...countsOfTargets('rollups of analytics', 'analytics_rollups'), after: ['analytics_rollups'] },
  { ...countsOfTargets('totals of analytics', 'analytics_totals'), after: ['analytics_totals'] },
  countsOfTargets('changes of counters', 'commission_count_deltas'),
  { ...countsOfTargets('counters', 'commission_day_counts'), after: ['commission_day_counts'] },
  {
    name: 'accounts of the sandbox',
    // What mails of test mode led to; an account is kept, without the person.
    statement: {
      table: 'partner_accounts',
      sql: `UPDATE partner_accounts
          SET email = '${erasedEmail}', name = '${erasedName}', held_email = NULL,
              password_hash = NULL, erased_at = :now, updated_at = :now
        WHERE id IN (SELECT a.id FROM partner_accounts AS a
          WHERE a.held_email IS NOT NULL AND a.held_workspace_id = :workspace
            AND a.erased_at IS NULL
            AND NOT EXISTS (SELECT 1 FROM participants AS p WHERE p.partner_id = a.id)
          LIMIT :limit)`,
    },
  },
];

/** Every table that a step deletes from. */
export function tablesOf(steps: readonly ResetStep[]): string[] {
  const walk = ({ table, owns = [] }: Omit<OwnedRows, 'of'>): string[] => [
    table,
    ...owns.flatMap(walk),
  ];
  const found = steps.flatMap(({ rows, statement, notices }) => [
    ...(rows ? walk(rows) : []),
    ...(statement ? [statement.table] : []),
    ...(notices ? [notices.table] : []),
  ]);
  return [...new Set(found)];
}
