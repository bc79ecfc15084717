import { ErasureReceipt, type OpenSum } from '../../entities/tables/erasure/erasure-receipt.entity';
import { insertAll } from '../../entities/database/insert-all';
import { newId } from '../../entities/ids';
import type { ReceiptKind } from '../../entities/rules/erasure/erasure';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, type Tx } from '../../entities/database/sql';

export interface NewReceipt {
  erasureId: string | null;
  kind: ReceiptKind;
  /** Null for the account itself. */
  place: (Scope & { programId: string | null; participantId: string | null }) | null;
  changes?: Record<string, number>;
  /** What was not paid yet, of one participation. */
  openBalances?: OpenSum[];
  erasedAt: Date;
  completedAt?: Date;
}

export async function insertReceipt(tx: Tx, receipt: NewReceipt): Promise<void> {
  const { erasureId, kind, place, changes = {}, openBalances = [] } = receipt;
  const { erasedAt, completedAt = null } = receipt;
  const { workspaceId, mode, programId, participantId } = place ?? noPlace;
  const at = { workspaceId, mode, programId, participantId };
  await insertAll(tx, {
    into: ErasureReceipt,
    rows: [{ id: newId(), erasureId, kind, ...at, changes, openBalances, erasedAt, completedAt }],
    onConflict:
      'ON CONFLICT (erasure_id, participant_id) WHERE participant_id IS NOT NULL DO NOTHING',
  });
}

const noPlace = { workspaceId: null, mode: null, programId: null, participantId: null };

/** Adds to the count of a table, in the transaction of the change. */
export async function countChange(
  tx: Tx,
  { erasureId, participantId }: { erasureId: string; participantId: string | null },
  { table, rows }: { table: string; rows: number },
): Promise<void> {
  if (rows === 0) return;
  await execute(
    tx,
    `UPDATE erasure_receipts
        SET changes = jsonb_set(changes, ARRAY[$3::text],
              to_jsonb(coalesce((changes->>$3::text)::bigint, 0) + $4::bigint))
      WHERE erasure_id = $1 AND participant_id IS NOT DISTINCT FROM $2::uuid`,
    [erasureId, participantId, table, rows],
  );
}
