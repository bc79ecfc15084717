import type { FieldProblem } from '../../entities/errors';
import {
  columnNames,
  importKinds,
  isImportKind,
  type ImportKind,
} from '../../entities/rules/imports/kinds';
import { toldPartnerStatuses, toldStatuses } from '../../entities/rules/imports/statuses';
import type { ChangeImportBody, CreateImportBody } from './imports.dto';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mostWords = 100;
const longestWord = 200;

const longestKey = 500;

/**
 * The problems of a new import: its credentials, which a source needs and csv has none of, and the
 * rest of its fields.
 */
export function createProblems(body: CreateImportBody): FieldProblem[] {
  return [...credentialProblems(body), ...importProblems(body)];
}

function credentialProblems({ source, credentials }: CreateImportBody): FieldProblem[] {
  if (source === 'csv') {
    return credentials ? [{ field: 'credentials', message: 'must not be given for csv' }] : [];
  }
  if (!credentials) return [{ field: 'credentials', message: 'is required' }];
  const needed = source === 'firstpromoter' ? ['apiKey', 'accountId'] : ['apiKey'];
  const told = new Map<string, unknown>(Object.entries(credentials));
  return needed
    .filter((name) => !isKey(told.get(name)))
    .map((name) => {
      const message = `must be text of 1 to ${longestKey} characters that a header can hold`;
      return { field: `credentials.${name}`, message };
    });
}

function isKey(value: unknown): boolean {
  return typeof value === 'string' && value.length <= longestKey && /^[\x21-\x7e]+$/.test(value);
}

/** What mapping and statuses must be like: our columns and words, each with a text of theirs. */
export function importProblems({ mapping, statuses }: ChangeImportBody): FieldProblem[] {
  return [...mappingProblems(mapping ?? {}), ...statusProblems(statuses ?? {})];
}

function mappingProblems(mapping: object): FieldProblem[] {
  return Object.entries(mapping).flatMap(([kind, columns]: [string, unknown]) => {
    const field = `mapping.${kind}`;
    if (!isImportKind(kind)) {
      return [{ field, message: `must be one of ${importKinds.join(', ')}` }];
    }
    if (!isObject(columns)) return [{ field, message: 'must be an object' }];
    return Object.entries(columns).flatMap((entry) => columnProblems(kind, entry));
  });
}

function columnProblems(kind: ImportKind, [column, theirs]: [string, unknown]): FieldProblem[] {
  const field = `mapping.${kind}.${column}`;
  if (!columnNames(kind).includes(column)) return [{ field, message: 'is no column of this kind' }];
  return isWord(theirs)
    ? []
    : [{ field, message: `must be text of 1 to ${longestWord} characters` }];
}

function statusProblems(statuses: object): FieldProblem[] {
  const entries = Object.entries(statuses) as [string, unknown][];
  if (entries.length > mostWords) {
    return [{ field: 'statuses', message: `must have at most ${mostWords} words` }];
  }
  const ours: readonly unknown[] = [...toldStatuses, 'open', ...toldPartnerStatuses];
  return entries.flatMap(([theirs, word]) => {
    const field = `statuses.${theirs}`;
    if (!isWord(theirs)) {
      return [{ field, message: `must be text of 1 to ${longestWord} characters` }];
    }
    if (ours.includes(word)) return [];
    return [{ field, message: 'must be a status of ours' }];
  });
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longestWord;
}
