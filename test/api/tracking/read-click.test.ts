import { ClickBody } from '../../../api/tracking/clicks.dto';
import { readClick } from '../../../api/tracking/read-click';
import { toInstance } from '../../../api/http/contract/validate';
import type { AppError } from '../../../entities/errors';

const fields = ['key', 'ref', 'url', 'referrer', 'visitor_token', 'user_agent', 'ip'] as const;
const sent = [
  undefined,
  null,
  '',
  'acme',
  '203.0.113.7',
  '::1',
  '203.0.113',
  5,
  true,
  {},
  ['acme'],
];

function problemsOf(read: () => unknown): unknown {
  try {
    read();
    return [];
  } catch (error) {
    return (error as AppError).details;
  }
}

it.each(fields)('a server hears of %s what every endpoint would say of the field', (field) => {
  for (const value of sent) {
    const body = { ref: 'acme', [field]: value };
    const asEverywhere = problemsOf(() => toInstance(ClickBody, body, { unknown: 'ignore' }));
    expect([value, problemsOf(() => readClick(body, { fromServer: true }))]).toEqual([
      value,
      asEverywhere,
    ]);
  }
});

it('a browser hears nothing of what only servers tell, and all else that is wrong at once', () => {
  const body = { url: 5, ip: 'nowhere', user_agent: 7, referrer: {} };
  expect(problemsOf(() => readClick(body, { fromServer: false }))).toEqual([
    { field: 'ref', message: 'must be text of 1 to 262144 characters' },
    { field: 'url', message: 'must be text' },
    { field: 'referrer', message: 'must be text' },
  ]);
  expect(
    readClick({ ...body, ref: 'acme', url: '', referrer: null }, { fromServer: false }),
  ).toBeDefined();
});

it('a ref that no column can hold is refused, an address of a page is not', () => {
  const problems = (body: object): unknown =>
    problemsOf(() => readClick(body, { fromServer: true }));
  expect(problems({ ref: 'a\0b', url: 5 })).toEqual([
    { field: 'ref', message: 'must not contain NUL or lone surrogates' },
  ]);
  expect(
    problems({ ref: 'acme', url: 'https://shop.example/\0', visitor_token: '\ud800' }),
  ).toEqual([]);
});
