import type { ImportDraft } from './imports';
import type { SourceStores } from './sources/ask';
import { lookAtSource } from './sources/first-look';

/**
 * What an import is to read of its source, whose key is tried: over the network, so before anything is
 * opened or kept. IMPORT_KEY_REJECTED, IMPORT_CHOICE.
 */
export async function choiceOf(
  stores: SourceStores,
  { source, credentials: access, only }: ImportDraft,
): Promise<string[] | undefined> {
  return access ? lookAtSource(stores, { source, access, only }) : only;
}
