import fc from 'fast-check';
import {
  guessing,
  hasLeeway,
  lifetimes,
  passwordLength,
  secondsUntilGuess,
} from '../../../entities/rules/accounts/accounts';

const now = new Date('2026-01-31T12:00:00.000Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const failures = (count: number, secondsAgo = 60): Date[] =>
  Array.from({ length: count }, () => ago(secondsAgo));

describe('a spent refresh token', () => {
  it.each([
    ['spent just now', { spentAt: now, siblingAt: null }, true],
    ['spent by a clock that is ahead', { spentAt: ago(-2), siblingAt: null }, true],
    ['spent 9.999 s ago', { spentAt: ago(9.999), siblingAt: null }, true],
    ['spent 10 s ago', { spentAt: ago(10), siblingAt: null }, false],
    ['answered with a sibling', { spentAt: ago(1), siblingAt: ago(1) }, false],
  ])('%s: whether it is answered again', (_name, token, answered) => {
    expect(hasLeeway(token, now)).toBe(answered);
  });
});

describe('guessing passwords', () => {
  it.each([
    ['no failure', { all: [], own: [], knownAddress: false }, 0],
    ['nine failures', { all: failures(9), own: [], knownAddress: false }, 0],
    ['ten failures', { all: failures(10), own: [], knownAddress: false }, 840],
    ['ten failures, known address', { all: failures(10), own: [], knownAddress: true }, 0],
    [
      'ten of a known address itself',
      { all: failures(10), own: failures(10), knownAddress: true },
      840,
    ],
    ['ten older failures', { all: failures(10, 1_000), own: [], knownAddress: false }, 0],
    ['ten old failures', { all: failures(10, 900), own: [], knownAddress: false }, 0],
    [
      'ten failures, to the next second',
      { all: failures(10, 60.5), own: [], knownAddress: false },
      840,
    ],
    ['ten almost old failures', { all: failures(10, 899), own: [], knownAddress: false }, 1],
  ])('how long the next guess waits: %s', (_name, counts, seconds) => {
    expect(secondsUntilGuess(counts, now)).toBe(seconds);
  });

  it('opens again when fewer than ten are left in the window', () => {
    const all = [ago(800), ...failures(9, 10)];
    expect(secondsUntilGuess({ all, own: [], knownAddress: false }, now)).toBe(100);
  });

  it('never asks to wait longer than the window, nor for no time at all', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 40 }), (seconds) => {
        const all = seconds.sort((a, b) => b - a).map(ago);
        const wait = secondsUntilGuess({ all, own: [], knownAddress: false }, now);
        const recent = seconds.filter((age) => age * 1000 < guessing.window).length;
        expect(wait > 0).toBe(recent >= guessing.failures);
        expect(wait).toBeLessThanOrEqual(guessing.window / 1000);
      }),
    );
  });
});

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

it.each([
  ['a refresh token', lifetimes.refreshToken, 30 * day],
  ['a spent one after its next', lifetimes.refreshLeeway, 10_000],
  ['a verification link', lifetimes.verificationToken, 24 * hour],
  ['a reset link', lifetimes.resetToken, hour],
  ["a member's invite", lifetimes.memberInvite, 14 * day],
  ['a wrong password', guessing.window, 15 * minute],
  ['a known network', guessing.knownAddress, 30 * day],
])('%s lasts as long as docs/reference/accounts.md says', (_, ms, said) => {
  expect(ms).toBe(said);
});

it('bounds a password by 10 and 128 characters', () => {
  expect(passwordLength).toEqual({ min: 10, max: 128 });
});
