import fc from 'fast-check';
import { layOut, parametersOf, rowsOf, type ColumnType } from '../../entities/database/bulk-rows';
import { newId } from '../../entities/ids';
import { isStorable } from '../../api/http/contract/body/body';
import { query } from '../../entities/database/sql';
import { useDeps } from '../support/app';

const types = {
  id: 'uuid',
  note: 'text',
  amount: 'bigint',
  size: 'int',
  is_on: 'boolean',
  at: 'timestamptz',
  content: 'json',
  terms: 'jsonb',
  reasons: 'text[]',
} as const satisfies Record<string, ColumnType>;
const columns = Object.fromEntries(
  Object.entries(types).map(([name, type]) => [name, { name, type }]),
);
const sets = layOut({ rows: { table: 'anything', columns } });

const deps = useDeps();

type Row = Record<keyof typeof types, unknown>;

function comeBack(rows: Row[]): Promise<Row[]> {
  const statement = `SELECT r.* FROM ${rowsOf(sets.rows)}`;
  return query(deps.db.manager, statement, parametersOf(sets, { rows }));
}

// What an array or a list of JSON texts could mistake for its own punctuation.
const text = fc.oneof(
  fc.string({ unit: 'binary' }).filter(isStorable),
  fc.constantFrom(
    '',
    'NULL',
    'null',
    '{}',
    '{a,b}',
    '"',
    '\\',
    '\\"',
    ' a ',
    '\x1e',
    'a\x1eb',
    '\n',
  ),
);
const json = fc.oneof(text, fc.dictionary(text, fc.oneof(text, fc.integer(), fc.constant(null))));
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
const row = fc.record<Row>({
  id: fc.constant(0).map(() => newId()),
  note: orNull(text),
  amount: orNull(fc.maxSafeInteger()),
  size: orNull(fc.integer()),
  is_on: orNull(fc.boolean()),
  at: orNull(fc.date({ min: new Date(0), max: new Date('2999-01-01'), noInvalidDate: true })),
  content: orNull(json),
  terms: orNull(json),
  reasons: orNull(fc.array(text)),
});

describe('rows as arrays', () => {
  it('come back as they were', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
        expect(await comeBack(rows)).toEqual(rows);
      }),
      { numRuns: 200 },
    );
  });

  it('may be one whose JSON is all null', async () => {
    const empty = Object.fromEntries(Object.keys(columns).map((name) => [name, null])) as Row;
    expect(await comeBack([{ ...empty, id: newId() }])).toHaveLength(1);
  });
});
