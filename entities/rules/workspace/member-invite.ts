import type { Moves } from '../values/moves';

export const memberInviteStates = ['open', 'accepted', 'withdrawn'] as const;
/** What the times on a row say; that an open invite has run out follows from the clock. */
export type MemberInviteState = (typeof memberInviteStates)[number];

export const memberInviteTriggers = ['change_role', 'accept', 'withdraw'] as const;
export type MemberInviteTrigger = (typeof memberInviteTriggers)[number];

/** Every move there is. A second invite to an open one's address is its next generation. */
export const memberInviteMoves: Moves<MemberInviteState, MemberInviteTrigger> = {
  open: { change_role: ['open'], accept: ['accepted'], withdraw: ['withdrawn'] },
  accepted: {},
  withdrawn: {},
};

interface InviteTimes {
  acceptedAt: Date | null;
  withdrawnAt: Date | null;
  expiresAt: Date;
}

export function memberInviteState({ acceptedAt, withdrawnAt }: InviteTimes): MemberInviteState {
  if (acceptedAt) return 'accepted';
  return withdrawnAt ? 'withdrawn' : 'open';
}

/** Whether a token of the current generation makes an account now. */
export function isMemberInviteOpen(invite: InviteTimes, now: Date): boolean {
  return memberInviteState(invite) === 'open' && invite.expiresAt > now;
}
