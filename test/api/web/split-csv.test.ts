import { delimitedRows } from '../../../entities/rules/values/delimited';
import { splitCsv as pieces } from '../../../web/app/moving/split-csv';

const most = { characters: 30, rows: 2 };

const splitCsv = (...given: Parameters<typeof pieces>) => pieces(...given).map(({ text }) => text);

it('leaves a table whole that fits', () => {
  expect(splitCsv('id,name\n1,Ann\n2,Bob', most)).toEqual(['id,name\n1,Ann\n2,Bob']);
  expect(splitCsv('', most)).toEqual(['']);
});

it('cuts by rows, each piece with the header', () => {
  const cut = splitCsv('id,name\n1,Ann\n2,Bob\n3,Cay\n4,Dan\n5,Eve\n', most);
  expect(cut).toEqual(['id,name\n1,Ann\n2,Bob\n', 'id,name\n3,Cay\n4,Dan\n', 'id,name\n5,Eve\n']);
});

it('cuts by length, and never within a row', () => {
  const long = `2,"Bob\n""the\nlong"""`;
  const cut = splitCsv(`id,name\r\n1,Ann\r\n${long}\r\n3,Cay`, { characters: 30, rows: 9 });
  expect(cut).toEqual(['id,name\r\n1,Ann\r\n', `id,name\r\n${long}\r\n`, 'id,name\r\n3,Cay']);
});

it('sends a row by itself that is longer than all', () => {
  const row = `1,${'x'.repeat(50)}\n`;
  expect(splitCsv(`id,name\n${row}2,Bob\n`, most)).toEqual([`id,name\n${row}`, 'id,name\n2,Bob\n']);
});

it('says how many lines of the whole stand before each, as lines are counted there', () => {
  const rows = ['1,Ann', '2,"Bob\r\nthe\nlong"', '', '3,Cay', '4,Dan'];
  const table = ['id,name', ...rows, ''].join('\n');
  for (const { text, linesBefore } of pieces(table, { characters: 1_000, rows: 1 })) {
    const [, row] = [...delimitedRows(text, ',')];
    const whole = [...delimitedRows(table, ',')].find(({ cells }) => cells[0] === row?.cells[0]);
    if (row) expect(row.line + linesBefore).toBe(whole?.line);
  }
});
