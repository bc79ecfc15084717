import { execute, query, type Tx } from '../../entities/database/sql';
import { normaliseEmail } from '../../entities/rules/values/email';
import type { Mode } from '../../entities/rules/values/mode';
import type { ImportChunk } from '../../entities/tables/imports/import-chunk.entity';
import type { Vault } from '../../runtime/crypto/vault';
import { hashesIn, openChunk } from './files';

interface Person {
  /** The person's addresses, as files keep them. */
  emails: readonly string[];
  /** The programme whose imports are searched; without it those of all. */
  programId?: string | null;
  /** The workspace whose imports are searched, in this mode; without it those of all. */
  workspaceId?: string;
  mode?: Mode;
}

/** Takes rows that name the person out of uploaded files; how many there were. A repeat finds none. */
export async function eraseFromFiles(
  { tx, vault }: { tx: Tx; vault: Pick<Vault, 'encrypt' | 'decrypt' | 'contactHash'> },
  { emails, programId, workspaceId, mode }: Person,
): Promise<number> {
  const chunks = await query<ImportChunk>(
    tx,
    `SELECT c.file_id AS "fileId", c.chunk, c.sealed, c.address_hashes AS "addressHashes"
       FROM import_chunks AS c
      WHERE c.address_hashes && $1::text[] AND c.file_id IN (
        SELECT f.id FROM import_files AS f JOIN imports AS i ON i.id = f.import_id
         WHERE ($2::uuid IS NULL OR i.program_id = $2)
           AND ($3::uuid IS NULL OR i.workspace_id = $3 AND i.mode = $4))
      ORDER BY c.file_id, c.chunk FOR UPDATE`,
    [
      emails.map((email) => vault.contactHash(email)),
      programId ?? null,
      workspaceId ?? null,
      mode ?? null,
    ],
  );
  let erased = 0;
  for (const { fileId, chunk, sealed } of chunks) {
    const rows = openChunk(vault, { fileId, chunk, sealed });
    const kept = rows.filter(({ cells }) => !cells.some((cell) => isOf(emails, cell)));
    erased += rows.length - kept.length;
    await execute(
      tx,
      'UPDATE import_chunks SET sealed = $3, address_hashes = $4 WHERE file_id = $1 AND chunk = $2',
      [
        fileId,
        chunk,
        vault.encrypt(JSON.stringify(kept), ['import_chunks.sealed', fileId, String(chunk)]),
        hashesIn(vault, kept),
      ],
    );
  }
  return erased;
}

function isOf(emails: readonly string[], cell: string): boolean {
  return cell.includes('@') && emails.includes(normaliseEmail(cell));
}
