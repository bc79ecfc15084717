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
  erasedAt: Date;
  completedAt?: Date;
}

export async function insertReceipt(tx: Tx, receipt: NewReceipt): Promise<void> {
  await execute(
    tx,
    `INSERT INTO erasure_receipts (id, erasure_id, kind, workspace_id, mode, program_id,
            participant_id, changes, erased_at, completed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (erasure_id, participant_id) WHERE participant_id IS NOT NULL DO NOTHING`,
    [
      newId(),
      receipt.erasureId,
      receipt.kind,
      ...placeColumns(receipt.place),
      JSON.stringify(receipt.changes ?? {}),
      receipt.erasedAt,
      receipt.completedAt ?? null,
    ],
  );
}

function placeColumns(place: NewReceipt['place']): (string | null)[] {
  if (!place) return [null, null, null, null];
  return [place.workspaceId, place.mode, place.programId, place.participantId];
}

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
