import { insertAll } from '../../../entities/database/insert-all';
import type { Tx } from '../../../entities/database/sql';
import type { ImportKind } from '../../../entities/rules/imports/kinds';
import type { ToldFacts } from '../../../entities/rules/imports/stored';
import type { Import } from '../../../entities/tables/imports/import.entity';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import { ImportedRecord } from '../../../entities/tables/imports/imported-record.entity';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Vault } from '../../../runtime/crypto/vault';
import type { CommandContext } from '../../journal/cause';

/** What a batch is booked with: an open transaction, the import under its lock, and its programme. */
export interface Booking {
  tx: Tx;
  vault: Pick<Vault, 'encrypt' | 'decrypt' | 'contactHash'>;
  held: Import;
  program: Program;
  context: CommandContext;
}

export interface Booked {
  row: ImportRow;
  recordId: string;
  besideId?: string | null;
  made: boolean;
  told?: ToldFacts;
}

/** Keeps what of theirs is which row of ours. */
export async function keepRecords(
  { tx, held, context }: Booking,
  kind: ImportKind,
  booked: readonly Booked[],
): Promise<void> {
  const { programId, source, name, workspaceId, mode, id: importId } = held;
  await insertAll(tx, {
    into: ImportedRecord,
    rows: booked.map(({ row, recordId, besideId = null, made, told = {} }) => ({
      programId,
      source,
      name,
      kind,
      theirKey: keyOfRow(row),
      workspaceId,
      mode,
      importId,
      recordId,
      besideId,
      made,
      told,
      createdAt: context.now,
    })),
    onConflict: `ON CONFLICT ON CONSTRAINT uq_imported_record DO UPDATE
      SET told = excluded.told`,
  });
}

export function keyOfRow({ theirKey }: ImportRow): string {
  if (theirKey === null) throw new Error('a row without a key is never booked');
  return theirKey;
}
