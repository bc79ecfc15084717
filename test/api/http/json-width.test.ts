import { isWiderThan } from '../../../api/http/contract/body/json-width';

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
])('%s', (_what, value, isTooWide) => {
  expect(isWiderThan(JSON.stringify(value), 3)).toBe(isTooWide);
});
