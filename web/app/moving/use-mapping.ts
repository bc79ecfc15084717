import { useRef, useState } from 'react';
import type { ImportKind, ImportMapping } from '../../../entities/rules/imports/kinds';
import { useChange } from '../../session/use-session';
import type { ColumnNames } from './column-names';
import type { OfImport } from './use-import';

export interface Mapping {
  of: (kind: ImportKind) => ColumnNames;
  set: (kind: ImportKind, names: ColumnNames) => void;
  error: unknown;
}

/** Which column is which. Each choice is kept at once, one after the other, so that the last one stays. */
export function useMapping({ at, of }: OfImport): Mapping {
  const change = useChange('imports.change');
  const [mapping, setMapping] = useState(of.mapping as ImportMapping);
  const [error, setError] = useState<unknown>();
  const sent = useRef(Promise.resolve());
  const set: Mapping['set'] = (kind, names) => {
    const next = { ...mapping, [kind]: names };
    setMapping(next);
    setError(undefined);
    const send = (): Promise<unknown> => change.mutateAsync({ ...at, mapping: next });
    sent.current = sent.current.then(send).then(() => undefined, setError);
  };
  return { of: (kind) => mapping[kind] ?? {}, set, error };
}
