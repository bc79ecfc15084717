import {
  applicationsOf,
  defaultGroupOf,
  defaultGroupProblems,
  groupNameKey,
  groupProblems,
  groupsNamed,
  maxGroups,
} from '../../../entities/rules/programs/groups';

it('two names are one in any case, and however they are written', () => {
  expect(groupNameKey('GOLD')).toBe(groupNameKey('gold'));
  expect(groupNameKey('Ame\u0301lie')).toBe(groupNameKey('AM\u00c9LIE'));
  expect(groupNameKey('gold')).not.toBe(groupNameKey('silver'));
  expect(maxGroups).toBe(100);
});

it('the default group is the programme, by its id, and offers nothing of its own', () => {
  expect(defaultGroupOf('p')).toEqual({
    ...{ id: 'p', name: 'Default', commission: null, holdDays: null, autoApprove: null },
  });
  expect(defaultGroupOf('p', 'Everybody').name).toBe('Everybody');
});

it('names where rules name groups', () => {
  const rules = [{ match: {} }, { match: { groupIds: ['a', 'b'] } }];
  expect(groupsNamed(rules)).toEqual([
    { field: 'rules[1].match.groupIds', groupId: 'a' },
    { field: 'rules[1].match.groupIds', groupId: 'b' },
  ]);
});

it('a commission of a group is checked as that of a programme', () => {
  expect(groupProblems({})).toEqual([]);
  expect(groupProblems({ commission: null })).toEqual([]);
  expect(groupProblems({ commission: { type: 'flat' } })).toMatchObject([
    { field: 'commission.amountCents' },
  ]);
});

it.each<[Parameters<typeof defaultGroupProblems>[0], boolean, string[]]>([
  [{}, false, []],
  [{ holdDays: null, autoApprove: null, commission: null, approvalMode: null }, false, []],
  [{ holdDays: 0 }, false, ['holdDays']],
  [{ autoApprove: false }, false, ['autoApprove']],
  [{ approvalMode: 'auto' }, false, ['approvalMode']],
  [{ commission: { type: 'flat', amountCents: 1 } }, false, ['commission']],
  [{ publicApplications: true }, false, ['publicApplications']],
  [{ publicApplications: true }, true, []],
  [{ publicApplications: false }, true, ['publicApplications']],
])('the default group takes %j where it is open: %s', (input, publicApplications, fields) => {
  const problems = defaultGroupProblems(input, { publicApplications });
  expect(problems.map(({ field }) => field)).toEqual(fields);
});

it('a group is open by its own word, the default one by the programme’s', () => {
  const program = { publicApplications: true, approvalMode: 'manual' } as const;
  const closed = { isDefault: false, publicApplications: false, approvalMode: null } as const;
  expect(applicationsOf(program, closed)).toEqual({ isOpen: false, approvalMode: 'manual' });
  expect(applicationsOf(program, { ...closed, isDefault: true }).isOpen).toBe(true);
  const open = { ...closed, publicApplications: true, approvalMode: 'auto' } as const;
  const shut = { ...program, publicApplications: false };
  expect(applicationsOf(shut, open)).toEqual({ isOpen: true, approvalMode: 'auto' });
  expect(applicationsOf(shut, { ...open, isDefault: true }).isOpen).toBe(false);
});
