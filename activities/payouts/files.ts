import { execute, query, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError, validationError } from '../../entities/errors';
import { chooseItems, type FileItem, type FilePart } from '../../entities/rules/payouts/files';
import { maskedLabel } from '../../entities/rules/payouts/method';
import type { Vault } from '../../runtime/crypto/vault';
import { openMethod } from '../accounts/payout-method';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { methodCounts } from './method-counts';
import { assertReleased } from './released';

export interface FileCommand extends FilePart {
  payoutId: string;
}

export interface PayoutFile {
  items: FileItem[];
  /** The payout's own reference, or its programme's name. */
  note: string;
  /** Ready items that are not paid by this method. */
  leftOut: number;
  hasNext: boolean;
}

interface Row extends Omit<FileItem, 'method'> {
  id: string;
  partnerId: string;
  box: string | null;
  note: string;
}

/**
 * The items of a payout that are ready, for the one who pays them; each notes the first file that
 * held it, and how its partner is paid by now. PAYOUT_NOT_FOUND, PAYOUT_FILE_EMPTY; VALIDATION_ERROR
 * for several currencies when none is named; SERVICE_UNAVAILABLE after a restore.
 */
export function takePayoutFile(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt'> },
  context: CommandContext,
  command: FileCommand,
): Promise<PayoutFile> {
  return transaction(db, async (tx) => {
    const { payoutId } = command;
    await assertReleased(tx);
    await holdPayout(tx, context, payoutId);
    const ready = (await readyRows(tx, context, payoutId)).map((row) => opened(vault, row));
    const { items, currencies, leftOut, hasNext } = chooseItems(ready, command);
    assertOne(currencies);
    if (items.length === 0) throw new AppError('PAYOUT_FILE_EMPTY');
    await noteExported(tx, context, items);
    const target = { type: 'payout', id: payoutId };
    await record(tx, context, { audit: { action: 'payout.exported', target } });
    return { items, note: items[0]?.note ?? '', leftOut, hasNext };
  });
}

type OpenedRow = Row & Pick<FileItem, 'method'>;

function opened(vault: Pick<Vault, 'decrypt'>, row: Row): OpenedRow {
  const { box, partnerId: accountId } = row;
  return { ...row, method: box === null ? null : openMethod(vault, { box, accountId }) };
}

function assertOne(currencies: readonly string[]): void {
  if (currencies.length <= 1) return;
  throw validationError('currency', `must be one of ${currencies.join(', ')}`);
}

/** Against a report of what became of its items at the same time. */
async function holdPayout(tx: Tx, { scope }: CommandContext, payoutId: string): Promise<void> {
  const rows = await query(
    tx,
    'SELECT 1 FROM payouts WHERE id = $1 AND workspace_id = $2 AND mode = $3 FOR UPDATE',
    [payoutId, scope.workspaceId, scope.mode],
  );
  if (rows.length === 0) throw new AppError('PAYOUT_NOT_FOUND');
}

/** Oldest first, which are those with the smallest ids. */
function readyRows(tx: Tx, { scope }: CommandContext, payoutId: string): Promise<Row[]> {
  return query<Row>(
    tx,
    `SELECT i.id, i.reference, i.currency, i.amount_cents AS "amountCents",
            p.partner_name AS "partnerName", p.partner_email AS "partnerEmail",
            p.partner_id AS "partnerId", a.payout_method_encrypted AS box,
            coalesce(o.reference, g.name) AS note
       FROM payout_items AS i
       JOIN payouts AS o ON o.id = i.payout_id
       JOIN programs AS g ON g.id = o.program_id
       JOIN participants AS p ON p.id = i.participant_id
       LEFT JOIN partner_accounts AS a
         ON a.id = p.partner_id AND a.erased_at IS NULL AND ${methodCounts}
      WHERE i.payout_id = $1 AND i.workspace_id = $2 AND i.mode = $3 AND i.status = 'ready'
      ORDER BY i.id`,
    [payoutId, scope.workspaceId, scope.mode],
  );
}

async function noteExported(
  tx: Tx,
  { now }: CommandContext,
  items: readonly OpenedRow[],
): Promise<void> {
  await execute(
    tx,
    `UPDATE payout_items AS i
        SET exported_at = coalesce(i.exported_at, $4), method_type = r.type, method_label = r.label
       FROM unnest($1::uuid[], $2::text[], $3::text[]) AS r (id, type, label) WHERE i.id = r.id`,
    [
      items.map(({ id }) => id),
      items.map(({ method }) => method?.type ?? null),
      items.map(({ method }) => method && maskedLabel(method)),
      now,
    ],
  );
}
