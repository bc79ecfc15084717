import { execute, type Tx } from '../../entities/database/sql';

/**
 * What was read of an import that ends goes with its files and its key. Rows are many: those that are
 * left here are deleted in batches by `forgetRows`.
 */
export async function forgetRead(tx: Tx, importId: string): Promise<void> {
  await execute(tx, 'DELETE FROM import_files WHERE import_id = $1', [importId]);
  await execute(tx, 'UPDATE imports SET credentials_encrypted = NULL, place = NULL WHERE id = $1', [
    importId,
  ]);
}

const atOnce = 20_000;
const tablesOfRows = ['import_rows', 'import_sales'] as const;

/** Deletes a batch of the rows that were read, and of their sales; false when none is left. */
export async function forgetRows(tx: Tx, importId: string): Promise<boolean> {
  for (const table of tablesOfRows) {
    const deleted = await execute(
      tx,
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM ${table} WHERE import_id = $1 LIMIT ${atOnce}))`,
      [importId],
    );
    if (deleted > 0) return true;
  }
  return false;
}
