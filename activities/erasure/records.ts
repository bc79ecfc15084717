import { insertAll } from '../../entities/database/insert-all';
import type { Tx } from '../../entities/database/sql';
import type { RecordKind } from '../../entities/rules/erasure/erasure';
import { ErasedRecord } from '../../entities/tables/erasure/erased-record.entity';

/** Notes in the ledger which rows were erased singly: a restored backup has them again. */
export async function noteErasedRecords(
  tx: Tx,
  { kind, ids, erasedAt }: { kind: RecordKind; ids: readonly string[]; erasedAt: Date },
): Promise<void> {
  await insertAll(tx, {
    into: ErasedRecord,
    rows: ids.map((subjectId) => ({ kind, subjectId, erasedAt })),
    onConflict: 'ON CONFLICT ON CONSTRAINT pk_erased_records DO NOTHING',
  });
}
