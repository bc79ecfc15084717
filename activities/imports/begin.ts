import type { Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { mayMove } from '../../entities/rules/imports/status';
import type { Scope } from '../../entities/rules/values/mode';
import type { Vault } from '../../runtime/crypto/vault';
import { accessOf } from './access';
import { getImport, type ImportDraft, type ImportKey, type ImportPatch } from './imports';
import type { SourceStores } from './sources/ask';
import { lookAtSource } from './sources/first-look';

/**
 * What an import is to read of its source, whose key is tried: over the network, so before anything is
 * opened or kept. IMPORT_KEY_REJECTED, IMPORT_CHOICE.
 */
export async function choiceOf(
  stores: SourceStores,
  { source, credentials: access, only }: ImportDraft,
): Promise<string[] | null | undefined> {
  return access ? lookAtSource(stores, { source, access, only }) : only;
}

/**
 * What an import is to read after an edit of `only`; undefined where the edit leaves it as it was.
 * IMPORT_NOT_FOUND, IMPORT_INVALID_STATE, IMPORT_KEY_REJECTED, IMPORT_CHOICE.
 */
export async function choiceAnew(
  stores: SourceStores & { db: Db; vault: Pick<Vault, 'decrypt'> },
  scope: Scope,
  { patch: { only }, ...key }: ImportKey & { patch: ImportPatch },
): Promise<string[] | null | undefined> {
  if (only === undefined) return undefined;
  const held = await getImport(stores.db, scope, key);
  if (!mayMove(held.status, 'edit')) throw new AppError('IMPORT_INVALID_STATE');
  const access = accessOf(stores, held);
  return access ? lookAtSource(stores, { source: held.source, access, only }) : only;
}
