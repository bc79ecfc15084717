import { wordsOfEvent } from '../../entities/rules/erasure/event-words';
import type { Vault } from './vault';

/**
 * Keyed hashes of words, 32 bits each, of one workspace: enough to find what may hold them. The same
 * word of another workspace has another one.
 */
export function wordHashes(
  vault: Pick<Vault, 'contactHash'>,
  workspaceId: string,
  words: readonly string[],
): number[] {
  return words.map((word) =>
    Buffer.from(vault.contactHash(`word:${workspaceId}:${word}`), 'base64url').readInt32BE(0),
  );
}

/** What a raw event is found by when a person is erased; null when it has to be read. */
export function searchWords(
  vault: Pick<Vault, 'contactHash'>,
  workspaceId: string,
  event: unknown,
): number[] | null {
  const words = wordsOfEvent(event);
  return words && wordHashes(vault, workspaceId, words);
}
