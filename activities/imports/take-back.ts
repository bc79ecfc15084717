import { insertAll } from '../../entities/database/insert-all';
import { execute, query, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import { erasedEmail, erasedName } from '../../entities/rules/erasure/erasure';
import type { ImportKind } from '../../entities/rules/imports/kinds';
import { systemActor } from '../../entities/rules/values/actor';
import { LedgerEntry } from '../../entities/tables/commissions/ledger-entry.entity';
import type { Import } from '../../entities/tables/imports/import.entity';
import { enqueueAll } from '../journal/outbox';
import { askToSwitchOff } from '../partners/biller-codes';
import { settleConversion } from '../settlement/settle';

/** A record that an import booked for a row of theirs. */
export interface Taken {
  id: string;
  besideId: string | null;
  /** True when the import made it; false when it was here before. */
  made: boolean;
}

interface TakeBack {
  tx: Tx;
  held: Import;
  now: Date;
}

type Take = (work: TakeBack, rows: readonly Taken[]) => Promise<void>;

/** How the rows of each kind go again. */
export const takers: Readonly<Record<ImportKind, Take>> = {
  partners: takePartners,
  links: takeLinks,
  customers: takeCustomers,
  commissions: takeCommissions,
};

const idsOf = (rows: readonly Taken[]): string[] =>
  rows.filter(({ made }) => made).map(({ id }) => id);

async function takeCommissions({ tx, held, now }: TakeBack, rows: readonly Taken[]): Promise<void> {
  const ids = idsOf(rows);
  await bookOpposites(tx, ids, now);
  const sales = rows.flatMap(({ besideId }) => besideId ?? []);
  const taken = await takenOver(tx, ids, sales);
  // The figures lose them; whoever had taken a sale over leaves it as it was: nobody's.
  await execute(
    tx,
    `UPDATE conversions SET attributed = false, reason = 'BEFORE_CUTOVER', matched_by = NULL
      WHERE workspace_id = $2 AND mode = $3 AND attributed AND matched_by = 'import'
        AND (id = ANY ($1::uuid[])
          OR id IN (SELECT conversion_id FROM commissions WHERE id = ANY ($4::uuid[])))`,
    [sales, held.workspaceId, held.mode, ids],
  );
  await execute(tx, 'SELECT delete_imported_commissions($1, $2)', [held.id, ids]);
  await forgetRefundsBefore({ tx, held, now }, taken);
}

/** Sales that were here before one of these commissions was theirs. */
async function takenOver(
  tx: Tx,
  ids: readonly string[],
  own: readonly string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `SELECT v.id FROM commissions AS c JOIN conversions AS v ON v.id = c.conversion_id
      WHERE c.id = ANY ($1::uuid[]) AND v.id <> ALL ($2::uuid[]) ORDER BY v.id`,
    [ids, own],
  );
  return rows.map(({ id }) => id);
}

/** Removes the refunds that the import brought; refunds that the API or a biller reported stay. */
async function forgetRefundsBefore(
  { tx, held: { workspaceId, mode }, now }: TakeBack,
  sales: readonly string[],
): Promise<void> {
  const told = await query<{ id: string }>(
    tx,
    `UPDATE conversion_settlements
        SET refunded_before_cents = NULL, api_refunded_before_cents = NULL, updated_at = $4
      WHERE conversion_id = ANY ($1::uuid[]) AND workspace_id = $2 AND mode = $3
        AND refunded_before_cents IS NOT NULL RETURNING conversion_id AS id`,
    [sales, workspaceId, mode, now],
  );
  const context = { actor: systemActor, now, scope: { workspaceId, mode } };
  for (const { id } of told) await settleConversion(tx, context, { conversionId: id });
}

/** The books keep what was booked, and that it was taken back. */
async function bookOpposites(tx: Tx, ids: readonly string[], now: Date): Promise<void> {
  const sums = await query<Omit<LedgerEntry, 'id' | 'payoutId' | 'createdAt'>>(
    tx,
    `SELECT workspace_id AS "workspaceId", mode, program_id AS "programId",
            participant_id AS "participantId", commission_id AS "commissionId", type, currency,
            -sum(amount_cents)::bigint AS "amountCents"
       FROM ledger_entries WHERE commission_id = ANY ($1::uuid[])
      GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(amount_cents) <> 0`,
    [ids],
  );
  await insertAll(tx, {
    into: LedgerEntry,
    rows: sums.map((sum) => ({ ...sum, id: newId(), payoutId: null, createdAt: now })),
  });
}

async function takeCustomers({ tx, held, now }: TakeBack, rows: readonly Taken[]): Promise<void> {
  const made = idsOf(rows);
  const facts = rows.flatMap(({ besideId }) => besideId ?? []);
  await execute(tx, 'DELETE FROM customer_bindings WHERE id = ANY ($1::uuid[])', [facts]);
  await execute(
    tx,
    `DELETE FROM customer_aliases
      WHERE workspace_id = $2 AND mode = $3 AND customer = ANY ($1::uuid[])`,
    [made, held.workspaceId, held.mode],
  );
  await execute(tx, 'DELETE FROM customers WHERE id = ANY ($1::uuid[])', [made]);
  const { workspaceId, mode } = held;
  await enqueueAll(
    tx,
    rows
      .filter((row) => !row.made)
      .map(({ id }) => ({
        topic: 'credit' as const,
        ref: id,
        workspaceId,
        payload: { mode, customers: [id], payments: [] },
        availableAt: now,
      })),
  );
}

/**
 * The partner is not erased. What is left of one who was erased meanwhile stays: it says that they
 * were, and keeps their tokens taken.
 */
const isPresent = 'participant_id IN (SELECT id FROM participants WHERE erased_at IS NULL)';

async function takeLinks({ tx }: TakeBack, rows: readonly Taken[]): Promise<void> {
  const made = idsOf(rows);
  await execute(
    tx,
    `DELETE FROM referral_tokens WHERE link_id = ANY ($1::uuid[]) AND ${isPresent}`,
    [made],
  );
  await execute(tx, `DELETE FROM tracking_links WHERE id = ANY ($1::uuid[]) AND ${isPresent}`, [
    made,
  ]);
  await execute(tx, 'DELETE FROM promo_codes WHERE id = ANY ($1::uuid[])', [made]);
}

async function takePartners({ tx, held, now }: TakeBack, rows: readonly Taken[]): Promise<void> {
  const made = await presentAmong(tx, idsOf(rows));
  await switchOffCodes({ tx, held, now }, made);
  await forgetOthers(tx, made);
  for (const table of ['referral_tokens', 'promo_codes', 'tracking_links', 'group_memberships']) {
    await execute(tx, `DELETE FROM ${table} WHERE participant_id = ANY ($1::uuid[])`, [made]);
  }
  const gone = await query<{ accountId: string }>(
    tx,
    'DELETE FROM participants WHERE id = ANY ($1::uuid[]) RETURNING partner_id AS "accountId"',
    [made],
  );
  await execute(
    tx,
    `UPDATE partner_accounts AS a
        SET email = $2, name = $3, held_email = NULL, erased_at = $4, updated_at = $4
      WHERE a.id = ANY ($1::uuid[]) AND a.password_hash IS NULL AND a.erased_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM participants AS p WHERE p.partner_id = a.id)`,
    [gone.map(({ accountId }) => accountId), erasedEmail, erasedName, now],
  );
}

/** The rows are locked. */
async function presentAmong(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    'SELECT id FROM participants WHERE id = ANY ($1::uuid[]) AND erased_at IS NULL',
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the records by which other imports know these partners, their links and codes, so that those imports can bring them again. */
async function forgetOthers(tx: Tx, participantIds: readonly string[]): Promise<void> {
  await execute(
    tx,
    `DELETE FROM imported_records WHERE record_id = ANY (ARRAY(
       SELECT unnest($1::uuid[])
        UNION ALL SELECT id FROM tracking_links WHERE participant_id = ANY ($1::uuid[])
        UNION ALL SELECT id FROM promo_codes WHERE participant_id = ANY ($1::uuid[])))`,
    [participantIds],
  );
}

/** Codes that members had made at billers for them give no discount any more. */
async function switchOffCodes(
  { tx, held: { workspaceId, mode }, now }: TakeBack,
  participantIds: readonly string[],
): Promise<void> {
  const codes = await query<{ id: string }>(
    tx,
    `SELECT DISTINCT promo_code_id AS id FROM biller_codes
      WHERE participant_id = ANY ($1::uuid[]) AND removed_at IS NULL`,
    [participantIds],
  );
  const context = { actor: systemActor, now, scope: { workspaceId, mode } };
  for (const { id } of codes) await askToSwitchOff(tx, context, id);
}
