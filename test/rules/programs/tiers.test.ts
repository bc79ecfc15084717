import { nextStep, stepsThatAct, tierProblems } from '../../../entities/rules/programs/tiers';

const steps = [
  { atLeast: 3, groupId: 'silver' },
  { atLeast: 10, groupId: 'gold' },
];
const standing = (all: number, groupId: string, reached: typeof steps = [], imported = 0) => {
  const figure = { all, imported };
  return stepsThatAct(steps, { figure, groupId, defaultGroupId: 'all', reached });
};

it.each<[string, number, string, typeof steps, string | null, number]>([
  ['below all steps nothing acts', 2, 'all', [], null, 0],
  ['the step that is reached leads to its group', 3, 'all', [], 'silver', 1],
  ['of several the highest does', 12, 'all', [], 'gold', 2],
  ['a step that has acted does so no more', 5, 'all', steps.slice(0, 1), null, 0],
  ['a move by hand stays until another is reached', 10, 'all', steps.slice(0, 1), 'gold', 1],
  ['nobody is moved down', 3, 'gold', [], null, 1],
  ['a group that no step names is never left', 12, 'friends', [], null, 0],
])('steps of a tier: %s', (_name, figure, groupId, reached, to, acted) => {
  const acting = standing(figure, groupId, reached);
  expect([acting.groupId, acting.reached.length]).toEqual([to, acted]);
});

it('a step that imported sales alone have reached is taken as given', () => {
  expect(standing(4, 'all', [], 3)).toEqual({ reached: [], groupId: null });
  expect(standing(10, 'all', [], 3).groupId).toBe('gold');
});

it('a changed step acts anew', () => {
  const before = [{ atLeast: 5, groupId: 'silver' }];
  expect(standing(4, 'all', before)).toMatchObject({ groupId: 'silver' });
});

it('tells the next step, and what is wrong with steps', () => {
  expect(nextStep(steps, 3)).toEqual(steps[1]);
  expect(nextStep(steps, 10)).toBeNull();
  const bad = [
    { atLeast: 5, groupId: 'all' },
    { atLeast: 5, groupId: 'all' },
  ];
  expect(tierProblems(bad, 'all').map(({ field }) => field)).toEqual([
    'steps[0].groupId',
    'steps[1].atLeast',
    'steps[1].groupId',
    'steps[1].groupId',
  ]);
  expect(tierProblems(steps, 'all')).toEqual([]);
});
