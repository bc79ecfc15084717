import { execute, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError, validationError } from '../../entities/errors';
import { chooseItems, type FileItem, type FilePart } from '../../entities/rules/payouts/files';
import { maskedLabel } from '../../entities/rules/payouts/method';
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
    // Against a report of what became of its items at the same time.
    await lockPayout(tx, context.scope, payoutId);
    const ready = (await payeeRowsOf(tx, context.scope, payoutId))
      .filter(({ status }) => status === 'ready')
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

type OpenedRow = PayeeRow & Pick<FileItem, 'method'>;

function assertOne(currencies: readonly string[]): void {
  if (currencies.length <= 1) return;
  throw validationError('currency', `must be one of ${currencies.join(', ')}`);
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
