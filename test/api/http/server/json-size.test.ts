import { sizeOf } from '../../../../api/http/contract/body/json-size';

const wide = (count: number): unknown[] => Array.from({ length: count }, () => ({}));

it.each([
  ['a list as long as that', wide(4), false],
  ['a longer list', wide(5), true],
  [
    'objects with as many fields in all',
    [
      { a: 1, b: 2 },
      { c: 3, d: 4 },
    ],
    false,
  ],
  ['texts with commas', { text: ',,,,,,,,' }, false],
  ['texts with quotes, backslashes and commas', { 'a",,\\': '\\",,,,\\', b: ',,",,' }, false],
  ['what follows such a text', ['\\",,', ...wide(5)], true],
])('commas count outside of texts alone: %s', (_what, value, isTooWide) => {
  expect(sizeOf(JSON.stringify(value)).commas > 3).toBe(isTooWide);
});

it.each([
  [{ a: 'text [[[ {{{ "[[[', b: 1 }, 1],
  [{ a: [{}, [[]]], b: [] }, 4],
  [[], 1],
])('%j is so deep', (value, depth) => {
  expect(sizeOf(JSON.stringify(value)).depth).toBe(depth);
});
