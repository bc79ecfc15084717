import {
  bonusProblems,
  changedBonuses,
  groupsOfBonuses,
  isForGroup,
  type Bonus,
} from '../../../entities/rules/programs/bonuses';
import { isReached } from '../../../entities/rules/programs/figures';

const from = '2026-03-01T00:00:00.000Z';
const bonus = (fields: Partial<Bonus> = {}): Bonus => ({
  id: 'first',
  name: 'First three',
  metric: 'customers',
  atLeast: 3,
  window: { from, to: null },
  amountCents: 10_000,
  currency: 'usd',
  groupIds: null,
  holdDays: null,
  autoApprove: null,
  since: from,
  ...fields,
});

it.each<[string, number, number, boolean]>([
  ['the figure is reached', 3, 0, true],
  ['it is not', 2, 0, false],
  ['imported sales alone have reached it', 4, 3, false],
  ['imported sales count beside own ones', 3, 2, true],
])('pays when %s', (_what, all, imported, is) => {
  expect(isReached({ all, imported }, 3)).toBe(is);
});

it('names what is wrong with a list of them', () => {
  const fieldsOf = (...given: Parameters<typeof bonusProblems>[0]) =>
    bonusProblems(given, { known: [bonus()], now: new Date('2026-04-01') }).map(
      ({ field }) => field,
    );
  expect(fieldsOf({ id: 'first' }, { id: null }, {})).toEqual([]);
  expect(fieldsOf({ id: 'other' })).toEqual(['bonuses[0].id']);
  expect(fieldsOf({ id: 'first' }, { id: 'first' })).toEqual(['bonuses[1].id']);
  expect(fieldsOf({ window: { from, to: from } })).toEqual(['bonuses[0].window.to']);
  expect(fieldsOf({ window: { from, to: '2026-03-01T01:00:00+00:00' } })).toEqual([]);
  expect(fieldsOf({ window: { from: null, to: from } }, { window: null })).toEqual([]);
  // Without a begin it counts from its first PUT: for a new one that is now.
  expect(fieldsOf({ window: { to: from } })).toEqual(['bonuses[0].window.to']);
});

it('knows which are new or changed: a name, a hold or an approval pays nobody', () => {
  const changed = (fields: Partial<Bonus>) => changedBonuses([bonus()], [bonus(fields)]).length;
  expect(changedBonuses([], [bonus()])).toHaveLength(1);
  expect(changed({ name: 'Another', holdDays: 3, autoApprove: true })).toBe(0);
  expect([{ atLeast: 2 }, { metric: 'revenue' as const }].map(changed)).toEqual([1, 1]);
  expect([{ amountCents: 1 }, { currency: 'eur' }].map(changed)).toEqual([1, 1]);
  expect([{ window: { from: null, to: null } }, { groupIds: ['a'] }].map(changed)).toEqual([1, 1]);
  const [ab, ba] = [bonus({ groupIds: ['a', 'b'] }), bonus({ groupIds: ['b', 'a'] })];
  expect(changedBonuses([ab], [ba])).toEqual([]);
});

it('a bonus is for all groups, or for those that it names', () => {
  expect(isForGroup(bonus(), 'gold')).toBe(true);
  expect(isForGroup(bonus({ groupIds: ['gold'] }), 'gold')).toBe(true);
  expect(isForGroup(bonus({ groupIds: ['gold'] }), 'silver')).toBe(false);
  expect(groupsOfBonuses([{}, { groupIds: ['a', 'b'] }])).toEqual([
    { field: 'bonuses[1].groupIds', groupId: 'a' },
    { field: 'bonuses[1].groupIds', groupId: 'b' },
  ]);
});
