import { AppError } from '../../../entities/errors';
import type { ImportSource } from '../../../entities/rules/imports/kinds';
import { askSource, type SourceStores } from './ask';
import { isNamed, type Choice, type SourceAccess, type SourceApi } from './source';
import { sources } from './sources';

export interface FirstLook {
  source: ImportSource;
  access: SourceAccess;
  only?: string[] | null | undefined;
}

/**
 * Whether a key is good, and what it is to read: `only` by ids, where the source wants one. A source that
 * does not answer now is not judged. IMPORT_KEY_REJECTED, IMPORT_CHOICE.
 */
export async function lookAtSource(
  stores: SourceStores,
  { source, access, only }: FirstLook,
): Promise<string[] | null | undefined> {
  const { api } = sources[source];
  if (source === 'csv' || !api) return only;
  const asked = await askSource(stores, { source, api }, { access, path: api.first.path });
  if (asked.kind === 'rejected') throw new AppError('IMPORT_KEY_REJECTED');
  const choices = asked.kind === 'answer' ? api.first.choices(asked.body) : null;
  return choices === null ? only : chosen(api, choices, only);
}

function chosen(
  { first }: SourceApi,
  choices: readonly Choice[],
  only: string[] | null | undefined,
): string[] | null | undefined {
  if (!first.isOne) {
    const isKnown = (word: string): boolean => choices.some((one) => isNamed(one, [word]));
    if (choices.length > 0 && only?.some((word) => !isKnown(word))) {
      throw new AppError('IMPORT_CHOICE');
    }
    return only;
  }
  const named = only ? choices.filter((one) => isNamed(one, only)) : choices;
  const [one] = named;
  if (!one || named.length > 1) throw new AppError('IMPORT_CHOICE');
  return [one.id];
}
