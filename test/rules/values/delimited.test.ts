import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { delimitedRows } from '../../../entities/rules/values/delimited';

const cellsOf = (text: string, delimiter = ',') =>
  [...delimitedRows(text, delimiter)].map(({ cells }) => cells);

it('reads what others write, as a library does', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', '\u00e9'),
    maxLength: 6,
  });
  const written = fc.tuple(
    fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
    fc.constantFrom('\n', '\r\n'),
  );
  fc.assert(
    fc.property(written, fc.constantFrom(',', ';'), ([rows, end], delimiter) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const text = rows.map((row) => row.map(quoted).join(delimiter)).join(end);
      const options = { delimiter, relax_column_count: true, record_delimiter: end };
      const known = parse(text, options) as string[][];
      expect(cellsOf(text, delimiter)).toEqual(
        known.filter((row) => row.length > 1 || row[0] !== ''),
      );
    }),
  );
});

it('names the line on which a row begins, and passes empty ones over', () => {
  const rows = [...delimitedRows('a,b\r\n\r\n"1\n2",3\n4,5', ',')];
  expect(rows).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['1\n2', '3'] },
    { line: 5, cells: ['4', '5'] },
  ]);
});

it.each([
  ['a quote that stays open', '"open'],
  ['what follows a quoted cell', 'a,"b"c'],
  ['too many cells', ','.repeat(201)],
  ['a plain cell that is too long', 'x'.repeat(10_001)],
  ['a quoted one, of quotes too', `"${'""'.repeat(10_001)}"`],
  ['too many empty lines in a row', `a\n${'\n'.repeat(10_001)}b`],
])('refuses %s', (_, text) => {
  expect(() => cellsOf(text)).toThrow(SyntaxError);
});
