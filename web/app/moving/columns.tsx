import { useState } from 'react';
import {
  importColumns,
  missingColumns,
  neededColumns,
  placesOf,
  type ImportKind,
} from '../../../entities/rules/imports/kinds';
import type { ImportFileDto } from '../../session/records';
import { text } from '../../text/en';
import { moving as words } from '../../text/en/app/moving';
import { Select } from '../../ui/select';
import { Table } from '../../ui/table';
import { isLeft, namesWith, theirsOf, unitOf, type Unit } from './column-names';
import type { Mapping } from './use-mapping';

interface ColumnsProps {
  kind: ImportKind;
  files: readonly ImportFileDto[];
  mapping: Mapping;
  may: boolean;
}

/** Our columns, each with the one of the file that stands for it, and what its first rows hold. */
export function Columns({ kind, files, mapping, may }: ColumnsProps) {
  const columns = files[0]?.columns ?? [];
  const header = [...new Set(files.flatMap((file) => file.columns.map(({ name }) => name)))];
  const names = mapping.of(kind);
  const at = { kind, header, names };
  const missing = missingColumns(kind, placesOf(kind, header, { [kind]: names }), {
    hasCurrency: false,
  });
  const sampleOf = (theirs: string): string =>
    (columns.find(({ name }) => name === theirs)?.sample ?? []).filter(Boolean).join(' · ');
  const [isOpenAtFirst] = useState(() => may && isLeft(at));
  const set = (column: string, theirs: string, unit: Unit): void =>
    mapping.set(kind, namesWith(at, { column, theirs, unit }));
  return (
    <>
      {missing.length > 0 && (
        <p role="status" className="hint bad">
          {words.missing(missing.map(labelOf).join(', '))}
        </p>
      )}
      <details open={isOpenAtFirst}>
        <summary>{words.columnsOf(words.kinds[kind])}</summary>
        <Table<string>
          caption={words.columnsOf(words.kinds[kind])}
          columns={[
            { title: words.ours, cell: (column) => <Ours kind={kind} column={column} /> },
            {
              title: words.theirs,
              cell: (column) => (
                <span className="inline-actions">
                  <Select
                    aria-label={labelOf(column)}
                    disabled={!may}
                    value={theirsOf(at, column)}
                    options={[['', words.noColumn], ...header.map((name) => [name, name] as const)]}
                    onChange={(theirs) => set(column, theirs, unitOf(at, column) ?? 'whole')}
                  />
                  {unitOf(at, column) && theirsOf(at, column) !== '' && (
                    <Select
                      aria-label={words.unitOf(labelOf(column))}
                      disabled={!may}
                      value={unitOf(at, column)}
                      options={Object.entries(words.units)}
                      onChange={(unit) => set(column, theirsOf(at, column), unit as Unit)}
                    />
                  )}
                </span>
              ),
            },
            {
              title: words.sample,
              cell: (column) => sampleOf(theirsOf(at, column)) || text.nothing,
            },
          ]}
          rows={importColumns[kind]}
          rowKey={(column) => column}
          empty={text.nothing}
        />
      </details>
    </>
  );
}

const labelOf = (column: string): string => words.columns[column] ?? column;

function Ours({ kind, column }: { kind: ImportKind; column: string }) {
  const isNeeded = neededColumns[kind].includes(column);
  return (
    <span>
      {labelOf(column)} {isNeeded && <span className="fine">{words.needed}</span>}
    </span>
  );
}
