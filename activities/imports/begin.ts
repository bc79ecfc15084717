import type { Db } from '../../entities/database/sql';
import type { Import } from '../../entities/tables/imports/import.entity';
import type { Vault } from '../../runtime/crypto/vault';
import type { CommandContext } from '../journal/cause';
import { createImport, type ImportDraft } from './imports';
import type { SourceStores } from './sources/ask';
import { lookAtSource } from './sources/first-look';

/**
 * Begins an import; the key of a source by API is tried before, and nothing is kept of one that is refused.
 * PROGRAM_ARCHIVED, IMPORT_OPEN, IMPORT_KEY_REJECTED, IMPORT_CHOICE.
 */
export async function beginImport(
  { db, vault, ...stores }: SourceStores & { db: Db; vault: Pick<Vault, 'encrypt'> },
  context: CommandContext,
  { programId, draft }: { programId: string; draft: ImportDraft },
): Promise<Import> {
  const { source, credentials: access, only } = draft;
  const chosen = access ? await lookAtSource(stores, { source, access, only }) : only;
  return createImport({ db, vault }, context, { programId, draft: { ...draft, only: chosen } });
}
