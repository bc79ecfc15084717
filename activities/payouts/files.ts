import { execute, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError, validationError } from '../../entities/errors';
import { chooseItems, type FileItem, type FilePart } from '../../entities/rules/payouts/files';
import type { PayoutMethod } from '../../entities/rules/payouts/method';
import type { Vault } from '../../runtime/crypto/vault';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { lockPayout } from './mark-items';
import { methodOf, payeeRowsOf, type PayeeRow } from './payees';
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

/**
 * The items of a payout that are ready, for the one who pays them; each notes the first file that
 * held it, and pays as was said when the payout was made. PAYOUT_NOT_FOUND, PAYOUT_FILE_EMPTY; VALIDATION_ERROR
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
    // The lock holds off a report, at the same time, of what became of its items.
    await lockPayout(tx, context.scope, payoutId);
    const ready = (await payeeRowsOf(tx, context.scope, payoutId))
      .filter(isForFiles)
      .map((row) => ({ ...row, method: methodOf(vault, row) }));
    const { items, currencies, leftOut, hasNext } = chooseItems(ready, command);
    assertOne(currencies);
    if (items.length === 0) throw new AppError('PAYOUT_FILE_EMPTY');
    await noteExported(tx, context, items);
    const target = { type: 'payout', id: payoutId };
    await record(tx, context, { audit: { action: 'payout.exported', target } });
    return { items, note: items[0]?.note ?? '', leftOut, hasNext };
  });
}

/** An item that somebody has to check first is in no file: it may have been paid. */
function isForFiles({ status, attentionReason }: PayeeRow): boolean {
  return status === 'ready' && attentionReason === null;
}

function assertOne(currencies: readonly string[]): void {
  if (currencies.length <= 1) return;
  throw validationError('currency', `must be one of ${currencies.join(', ')}`);
}

/** Notes on the items that a file holds them: from now on somebody may have paid them. */
async function noteExported(
  tx: Tx,
  { now }: CommandContext,
  items: readonly Pick<PayeeRow, 'id'>[],
): Promise<void> {
  await execute(
    tx,
    'UPDATE payout_items SET exported_at = $2 WHERE id = ANY($1) AND exported_at IS NULL',
    [items.map(({ id }) => id), now],
  );
}

export interface Transfer extends Pick<PayeeRow, 'partnerName' | 'partnerEmail'> {
  currency: string;
  amountCents: number;
  method: PayoutMethod | null;
}

/**
 * What a payout pays and has paid, by partner, with whole account numbers: to what is ready this is
 * a file like the others. PAYOUT_NOT_FOUND, PAYOUT_NOT_PROCESSING for one that was cancelled,
 * SERVICE_UNAVAILABLE after a restore.
 */
export function takeTransfers(
  { db, vault }: { db: Db; vault: Pick<Vault, 'decrypt'> },
  context: CommandContext,
  { payoutId }: { payoutId: string },
): Promise<Transfer[]> {
  return transaction(db, async (tx) => {
    if ((await lockPayout(tx, context.scope, payoutId)) === 'cancelled') {
      const message = 'This payout was cancelled: nothing of it is to be paid.';
      throw new AppError('PAYOUT_NOT_PROCESSING', { message });
    }
    await assertReleased(tx);
    const rows = await payeeRowsOf(tx, context.scope, payoutId);
    await noteExported(tx, context, rows.filter(isForFiles));
    const target = { type: 'payout', id: payoutId };
    await record(tx, context, { audit: { action: 'payout.exported', target } });
    return rows
      .filter((row) => isForFiles(row) || row.status === 'paid')
      .map((row) => ({ ...row, method: methodOf(vault, row) }))
      .sort(byPartner);
  });
}

function byPartner(a: Transfer, b: Transfer): number {
  return a.partnerName.localeCompare(b.partnerName) || a.currency.localeCompare(b.currency);
}
