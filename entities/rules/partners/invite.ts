import { dayMs } from '../values/duration';
import type { Moves } from '../values/moves';

/** What a row says; that an open invite has run out follows from the clock. */
export const storedInviteStatuses = ['pending', 'accepted', 'deleted', 'erased'] as const;
export type StoredInviteStatus = (typeof storedInviteStatuses)[number];

export const inviteTriggers = ['renew', 'accept', 'delete', 'erase'] as const;
/** `renew` begins the next generation of an open invite. */
export type InviteTrigger = (typeof inviteTriggers)[number];

/** Every move there is. */
export const inviteMoves: Moves<StoredInviteStatus, InviteTrigger> = {
  pending: { renew: ['pending'], accept: ['accepted'], delete: ['deleted'], erase: ['erased'] },
  accepted: { delete: ['deleted'], erase: ['erased'] },
  deleted: { erase: ['erased'] },
  erased: {},
};

export const inviteStatuses = ['pending', 'accepted', 'expired'] as const;
export type InviteStatus = (typeof inviteStatuses)[number];

interface InviteState {
  status: StoredInviteStatus;
  expiresAt: Date;
}

/** When a generation of an invite that begins now ends, or a participation can be claimed no more. */
export function inviteExpiry(now: Date): Date {
  return new Date(now.getTime() + 14 * dayMs);
}

/** What a merchant sees in the list, which leaves deleted invites out. */
export function inviteStatus(invite: InviteState, now: Date): InviteStatus {
  if (invite.status === 'accepted') return 'accepted';
  return invite.expiresAt > now ? 'pending' : 'expired';
}

/** Whether a token of the current generation opens the programme now. */
export function isInviteOpen(invite: InviteState, now: Date): boolean {
  return invite.status === 'pending' && invite.expiresAt > now;
}
