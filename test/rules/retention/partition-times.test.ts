import {
  msOverdue,
  partsKeptSince,
  startOfPart,
} from '../../../entities/rules/retention/partition-times';

const at = (text: string): Date => new Date(text);

it.each([
  ['day', '2028-02-28T23:59:59.999Z', 0, '2028-02-28'],
  ['day', '2028-02-28T23:59:59.999Z', 2, '2028-03-01'],
  ['month', '2026-12-31T10:00:00.000Z', 0, '2026-12-01'],
  ['month', '2026-12-31T10:00:00.000Z', 2, '2027-02-01'],
  ['month', '2026-01-31T10:00:00.000Z', -13, '2024-12-01'],
] as const)('the part by %s of %s, and %i later, begins at %s', (step, moment, later, start) => {
  expect(startOfPart(step, at(moment), later)).toEqual(at(start));
});

it('the part of a moment is that which it is in', () => {
  expect(startOfPart('day', at('2026-12-31T10:00:00.000Z'))).toEqual(at('2026-12-31'));
});

describe('a part is past its time', () => {
  const days = { step: 'day', keptDays: 31 } as const;
  const clicks = { step: 'month', keptDays: 'setting' } as const;
  const kept = { step: 'month', keptDays: 'for ever' } as const;

  it.each([
    ['a day', days, '2026-01-10T12:00:00Z', '2026-02-10T23:59:59Z', false],
    ['a day', days, '2026-01-10T12:00:00Z', '2026-02-11T00:00:00Z', true],
    ['clicks', clicks, '2026-01-31T12:00:00Z', '2026-02-28T23:59:59Z', false],
    ['clicks', clicks, '2026-01-31T12:00:00Z', '2026-03-01T00:00:00Z', true],
  ])('%s %j of %s, at %s: %s', (_, rule, moment, now, isPast) => {
    const keeping = { now: at(now), clickMonths: 1 };
    const end = startOfPart(rule.step, at(moment), 1);
    expect(end <= (partsKeptSince(rule, keeping) ?? at('1970-01-01'))).toBe(isPast);
    const aSecondLater = { ...keeping, now: new Date(at(now).getTime() + 1_000) };
    expect(msOverdue(rule, at(moment), aSecondLater)).toBe(isPast ? 1_000 : 0);
  });

  it.each([
    [kept, 1],
    [clicks, 0],
  ])('never: %j for %i months', (rule, clickMonths) => {
    const keeping = { now: at('2046-01-01T00:00:00Z'), clickMonths };
    expect(partsKeptSince(rule, keeping)).toBeUndefined();
    expect(msOverdue(rule, at('2026-01-01T00:00:00Z'), keeping)).toBe(0);
  });
});
