import {
  isMemberInviteOpen,
  memberInviteMoves,
  memberInviteState,
  memberInviteTriggers,
} from '../../../entities/rules/workspace/member-invite';
import { testMoves } from '../../support/moves';

describe('the moves of an invite of a member', () => {
  testMoves(memberInviteMoves, memberInviteTriggers, [
    ['open', 'change_role', 'open'],
    ['open', 'accept', 'accepted'],
    ['open', 'withdraw', 'withdrawn'],
  ]);
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
