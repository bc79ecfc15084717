import { deleteRules, keptSince } from '../../../entities/rules/retention/retention';

const ruleOf = (table: string) => {
  const rule = deleteRules.find((candidate) => candidate.table === table);
  if (!rule) throw new Error(`no rule for ${table}`);
  return rule;
};

describe('signups of the waitlist are kept for 12 calendar months', () => {
  it.each([
    ['2026-11-22T10:00:00.123Z', '2025-11-22T10:00:00.123Z'],
    ['2028-03-01T00:00:00.000Z', '2027-03-01T00:00:00.000Z'],
    ['2029-03-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    ['2028-02-29T08:00:00.000Z', '2027-02-28T08:00:00.000Z'],
    ['2029-02-28T08:00:00.000Z', '2028-02-28T08:00:00.000Z'],
  ])('at %s those since %s', (now, since) => {
    expect(keptSince(ruleOf('waitlist_signups'), new Date(now)).toISOString()).toBe(since);
  });
});

it('gives the last day of a month that is too short', () => {
  const since = keptSince({ kept: { months: 3 } }, new Date('2026-05-31T12:00:00Z'));
  expect(since.toISOString()).toBe('2026-02-28T12:00:00.000Z');
});

it('counts other rows by time alone', () => {
  const since = keptSince(ruleOf('notifications'), new Date('2026-05-31T12:00:00Z'));
  expect(since.toISOString()).toBe('2026-03-02T12:00:00.000Z');
});
