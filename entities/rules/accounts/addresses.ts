import type { Mode } from '../values/mode';

/** The account that has an address, as far as it shows whose that is. */
export interface Holder {
  /** False: nobody's yet; whoever proves the address gets it. */
  hasPassword: boolean;
  /** A live mail to the address was followed while the account had it. */
  isConfirmed: boolean;
}

/**
 * The account on which a participation is put that a server made for an address: what hangs on an
 * address belongs to the person who proves it. `holder`: the account that has the address is its
 * person's, or nobody's; `new`: none has it; `stand-in`: somebody registered with it and never
 * proved it, so that an account beside theirs holds it for the person who does. In test mode a
 * merchant reads the mails: each workspace has a `sandbox` of its own, which says nothing of the
 * address's account.
 */
export type Place = 'holder' | 'new' | 'stand-in' | 'sandbox';

export function placeOf(mode: Mode, holder: Holder | undefined): Place {
  if (mode === 'test') return 'sandbox';
  if (!holder) return 'new';
  return isOwn(holder) ? 'holder' : 'stand-in';
}

/** Whether what hangs on the address may lie on this account: its person's, or nobody's. */
function isOwn({ hasPassword, isConfirmed }: Holder): boolean {
  return !hasPassword || isConfirmed;
}

export interface Claimable {
  mode: Mode;
  isOpened: boolean;
  isProven: boolean;
}

/**
 * Whether the mail about a participation still lets somebody in. In live mode until the address is
 * proved, whatever an account did meanwhile; in test mode until somebody opened it, or has a password
 * of the sandbox.
 */
export function isClaimable(
  { mode, isOpened, isProven }: Claimable,
  holder: Holder | undefined,
): boolean {
  if (mode === 'test') return !isOpened && !(holder?.hasPassword ?? false);
  return !isProven && !(holder?.hasPassword && holder.isConfirmed);
}

/** Where an account of a sandbox may go: to what its workspace has in test mode. */
export interface Sandbox {
  workspaceId: string;
}

export function isOpenTo(
  sandbox: Sandbox | null,
  { workspaceId, mode }: { workspaceId: string; mode: Mode },
): boolean {
  return sandbox === null || (mode === 'test' && sandbox.workspaceId === workspaceId);
}
