import { useRef, useState } from 'react';
import type { ImportKind, ImportMapping } from '../../../entities/rules/imports/kinds';
import type { ImportFilesDto } from '../../session/records';
import { useChange } from '../../session/use-session';
import type { ColumnNames } from './column-names';
import type { OfImport } from './use-import';

export interface Mapping {
  of: (kind: ImportKind) => ColumnNames;
  set: (kind: ImportKind, names: ColumnNames) => void;
  /** Names many at once, and what words mean; what was chosen stays. */
  take: (suggestion: ImportFilesDto['suggestion']) => void;
  error: unknown;
}

/** Which column is which. Each choice is kept at once, one after the other, so that the last one stays. */
export function useMapping({ at, of }: OfImport): Mapping {
  const change = useChange('imports.change');
  const [mapping, setMapping] = useState(of.mapping as ImportMapping);
  const [error, setError] = useState<unknown>();
  const sent = useRef(Promise.resolve());
  const keep = (next: ImportMapping, more: { statuses?: Record<string, string> } = {}): void => {
    setMapping(next);
    setError(undefined);
    const send = (): Promise<unknown> => change.mutateAsync({ ...at, mapping: next, ...more });
    sent.current = sent.current.then(send).then(() => undefined, setError);
  };
  const set: Mapping['set'] = (kind, names) => keep({ ...mapping, [kind]: names });
  const take: Mapping['take'] = (suggestion) => {
    if (!suggestion) return;
    const suggested = Object.entries(suggestion.mapping as ImportMapping);
    const named = suggested.map(([kind, names]) => {
      return [kind, { ...names, ...mapping[kind as ImportKind] }] as const;
    });
    const words = { ...(suggestion.statuses as Record<string, string>) };
    const statuses = { ...words, ...(of.statuses as Record<string, string>) };
    keep({ ...mapping, ...Object.fromEntries(named) }, { statuses });
  };
  return { of: (kind) => mapping[kind] ?? {}, set, take, error };
}
