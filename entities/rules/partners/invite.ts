/** What a row says; that an open invite has run out follows from the clock. */
export type StoredInviteStatus = 'pending' | 'accepted' | 'deleted' | 'erased';

export const inviteStatuses = ['pending', 'accepted', 'expired'] as const;
export type InviteStatus = (typeof inviteStatuses)[number];

const inviteLifetimeMs = 14 * 24 * 60 * 60 * 1_000;

interface InviteState {
  status: StoredInviteStatus;
  expiresAt: Date;
}

/** When a generation of an invite that begins now ends. */
export function inviteExpiry(now: Date): Date {
  return new Date(now.getTime() + inviteLifetimeMs);
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
