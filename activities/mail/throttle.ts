import { normaliseEmail } from '../../entities/rules/accounts/accounts';
import { dailyInvites, dayMs, hourlyBound, hourMs } from '../../entities/rules/mail/limits';
import { mailSpec } from '../../entities/rules/mail/mail';
import { queryOne, type Tx } from '../../entities/database/sql';
import type { Deps } from '../runtime/process/deps';
import { admit, type Bound } from './counts';
import type { Letter } from './render';
import { governingType } from './rows';

type Limits = Pick<Deps, 'config' | 'vault'>;

/** Whether a mail may go to its recipient: over all workspaces an address takes a bounded number. */
export async function mayWrite(deps: Limits, tx: Tx, letter: Letter, now: Date): Promise<boolean> {
  const bounds = [...addressBounds(deps, letter), ...(await inviteBounds(deps, tx, letter, now))];
  return admit(tx, letter.mail.id, bounds, now);
}

/**
 * The same for what test mode keeps back. It counts apart, so that a mail that never left does not
 * use up what the address takes.
 */
export async function mayKeep(deps: Limits, tx: Tx, letter: Letter, now: Date): Promise<boolean> {
  return admit(tx, letter.mail.id, addressBounds(deps, letter, 'test'), now);
}

/** Any address can be given as the one for test mails: it takes a bounded number of each type. */
export async function mayRedirect(
  deps: Limits,
  tx: Tx,
  { letter, to }: { letter: Letter; to: string },
  now: Date,
): Promise<boolean> {
  const { mailPerHour } = deps.config.limits;
  const bounds = addressBounds(deps, letter, 'test');
  if (mailPerHour > 0)
    bounds.push(addressBound(deps, { letter, to, channel: 'real' }, mailPerHour));
  return admit(tx, letter.mail.id, bounds, now);
}

type Channel = 'real' | 'test';

function addressBounds(deps: Limits, letter: Letter, channel: Channel = 'real'): Bound[] {
  const verified = letter.account?.emailVerified ?? false;
  const bound = { type: governingType(letter.mail), verified };
  const most = hourlyBound(bound, deps.config.limits.mailPerHour);
  if (most === undefined) return [];
  return [addressBound(deps, { letter, to: letter.recipient, channel }, most)];
}

function addressBound(
  { vault }: Limits,
  { letter, to, channel }: { letter: Letter; to: string; channel: Channel },
  most: number,
): Bound {
  const address = vault.contactHash(normaliseEmail(to));
  return { counter: `${channel}/${letter.mail.type}/${address}`, windowMs: hourMs, most };
}

/** Invites that leave: a young workspace mails few in a day. */
async function inviteBounds(
  { config }: Limits,
  tx: Tx,
  { mail, link }: Letter,
  now: Date,
): Promise<Bound[]> {
  const workspaceId = mail.workspaceId ?? link?.workspaceId;
  if (!isInvite(mail.type) || !workspaceId) return [];
  const workspace = await queryOne<{ createdAt: Date }>(
    tx,
    'SELECT created_at AS "createdAt" FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  const most = workspace && dailyInvites(config.limits.invitesPerDay, workspace.createdAt, now);
  return most === undefined ? [] : [{ counter: `invites/${workspaceId}`, windowMs: dayMs, most }];
}

function isInvite(type: Letter['mail']['type']): boolean {
  return type.endsWith('.invited') && mailSpec(type).open === true;
}
