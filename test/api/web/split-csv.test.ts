import { splitCsv } from '../../../web/app/moving/split-csv';

const most = { characters: 30, rows: 2 };

it('leaves a table whole that fits', () => {
  expect(splitCsv('id,name\n1,Ann\n2,Bob', most)).toEqual(['id,name\n1,Ann\n2,Bob']);
  expect(splitCsv('', most)).toEqual(['']);
});

it('cuts by rows, each piece with the header', () => {
  const pieces = splitCsv('id,name\n1,Ann\n2,Bob\n3,Cay\n4,Dan\n5,Eve\n', most);
  expect(pieces).toEqual([
    'id,name\n1,Ann\n2,Bob\n',
    'id,name\n3,Cay\n4,Dan\n',
    'id,name\n5,Eve\n',
  ]);
});

it('cuts by length, and never within a row', () => {
  const long = `2,"Bob\n""the\nlong"""`;
  const pieces = splitCsv(`id,name\r\n1,Ann\r\n${long}\r\n3,Cay`, { characters: 30, rows: 9 });
  expect(pieces).toEqual(['id,name\r\n1,Ann\r\n', `id,name\r\n${long}\r\n`, 'id,name\r\n3,Cay']);
});

it('sends a row by itself that is longer than all', () => {
  const row = `1,${'x'.repeat(50)}\n`;
  expect(splitCsv(`id,name\n${row}2,Bob\n`, most)).toEqual([`id,name\n${row}`, 'id,name\n2,Bob\n']);
});
