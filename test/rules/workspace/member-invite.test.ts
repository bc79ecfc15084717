import { assertMove } from '../../../entities/rules/values/moves';
import {
  isMemberInviteOpen,
  memberInviteMoves,
  memberInviteState,
  memberInviteStates,
  memberInviteTriggers,
  type MemberInviteState,
  type MemberInviteTrigger,
} from '../../../entities/rules/workspace/member-invite';

type Line = [MemberInviteState, MemberInviteTrigger, MemberInviteState];

/** Every pair that is not here is refused. */
const allowed: Line[] = [
  ['open', 'change_role', 'open'],
  ['open', 'accept', 'accepted'],
  ['open', 'withdraw', 'withdrawn'],
];

const all = memberInviteStates.flatMap((from) =>
  memberInviteTriggers.flatMap((trigger) =>
    memberInviteStates.map((to): Line => [from, trigger, to]),
  ),
);

it.each(all)('a move from %s by %s to %s', (from, trigger, to) => {
  const isAllowed = allowed.some((line) => line.join() === [from, trigger, to].join());
  const move = () => assertMove(memberInviteMoves, { from, trigger, to });
  if (isAllowed) expect(move).not.toThrow();
  else expect(move).toThrow('no move');
});

it('reads the state from the times of a row, and its end from the clock', () => {
  const now = new Date('2026-03-01T00:00:00.000Z');
  const before = new Date(now.getTime() - 1);
  const open = { acceptedAt: null, withdrawnAt: null, expiresAt: new Date(now.getTime() + 1) };
  expect(memberInviteState(open)).toBe('open');
  expect(memberInviteState({ ...open, acceptedAt: before })).toBe('accepted');
  expect(memberInviteState({ ...open, withdrawnAt: before })).toBe('withdrawn');
  expect(isMemberInviteOpen(open, now)).toBe(true);
  expect(isMemberInviteOpen({ ...open, expiresAt: now }, now)).toBe(false);
  expect(isMemberInviteOpen({ ...open, withdrawnAt: before }, now)).toBe(false);
});
