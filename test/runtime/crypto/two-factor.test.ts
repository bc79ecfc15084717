import {
  newRecoveryCodes,
  newTotpSecret,
  otpauthUrl,
  stepOfCode,
} from '../../../runtime/crypto/two-factor';

// The secret of RFC 6238, appendix B: 12345678901234567890.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1_000);

describe('a code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i s is that of the standard', (seconds, code) => {
    expect(stepOfCode(secret, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it.each([
    [-61, undefined],
    [-60, undefined],
    [-30, 1],
    [0, 1],
    [30, 1],
    [60, undefined],
  ])('of second 59, %i s away, is of step %s', (away, step) => {
    expect(stepOfCode(secret, '287082', at(59 + away))).toBe(step);
  });

  it.each(['', '28708', '2870820', 'abcdef', '94287082'])('is not %j', (code) => {
    expect(stepOfCode(secret, code, at(59))).toBeUndefined();
  });
});

it('makes secrets of 160 bits that differ, and an address that apps read', () => {
  const made = newTotpSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(made);
  const url = new URL(otpauthUrl(made, 'mia+1@example.com'));
  expect(decodeURIComponent(url.pathname)).toBe('/Affiliate Programme:mia+1@example.com');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Affiliate Programme',
    secret: made,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

it('makes ten recovery codes that differ', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes)
    expect(code).toMatch(/^([2-9a-hjkmnp-tv-z]{4}-){2}[2-9a-hjkmnp-tv-z]{4}$/);
});
