import { findById } from '../../entities/database/find';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { normaliseEmail } from '../../entities/rules/values/email';
import { dailyInvites, hourlyBound } from '../../entities/rules/mail/limits';
import { mailSpec } from '../../entities/rules/mail/mail';
import { type Tx } from '../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import { admit, type Bound } from './counts';
import type { Letter } from './render';
import { governingType } from './rows';
import { dayMs, hourMs } from '../../entities/rules/values/duration';

type Limits = Pick<Deps, 'config' | 'vault'>;

/** What deciding on a mail needs: the transaction that it is locked in, and the time. */
export interface MailContext<D extends Limits = Limits> {
  deps: D;
  tx: Tx;
  now: Date;
}

/** Whether a mail may go to its recipient: over all workspaces an address takes a bounded number. */
export async function mayWrite(context: MailContext, letter: Letter): Promise<boolean> {
  const { deps, tx, now } = context;
  const bounds = [...addressBounds(deps, letter), ...(await inviteBounds(context, letter))];
  return admit(tx, { mailId: letter.mail.id, now }, bounds);
}

/**
 * The same for what test mode keeps back. It counts apart, so that a mail that never left does not
 * use up what the address takes.
 */
export async function mayKeep({ deps, tx, now }: MailContext, letter: Letter): Promise<boolean> {
  return admit(tx, { mailId: letter.mail.id, now }, addressBounds(deps, letter, 'test'));
}

/** Any address can be given as the one for test mails: it takes a bounded number of each type. */
export async function mayRedirect(
  { deps, tx, now }: MailContext,
  { letter, to }: { letter: Letter; to: string },
): Promise<boolean> {
  const { mailPerHour } = deps.config.limits;
  const bounds = addressBounds(deps, letter, 'test');
  if (mailPerHour > 0)
    bounds.push(addressBound(deps, { letter, to, channel: 'real' }, mailPerHour));
  return admit(tx, { mailId: letter.mail.id, now }, bounds);
}

type Channel = 'real' | 'test';

function addressBounds(deps: Limits, letter: Letter, channel: Channel = 'real'): Bound[] {
  const verified = letter.account?.emailVerified ?? false;
  const bound = { type: governingType(letter.mail), verified };
  const max = hourlyBound(bound, deps.config.limits.mailPerHour);
  if (max === undefined) return [];
  return [addressBound(deps, { letter, to: letter.recipient, channel }, max)];
}

function addressBound(
  { vault }: Limits,
  { letter, to, channel }: { letter: Letter; to: string; channel: Channel },
  max: number,
): Bound {
  const address = vault.contactHash(normaliseEmail(to));
  return { counter: `${channel}/${letter.mail.type}/${address}`, windowMs: hourMs, max };
}

/** Invites that leave: a young workspace mails few in a day. */
async function inviteBounds(
  { deps: { config }, tx, now }: MailContext,
  { mail, link }: Letter,
): Promise<Bound[]> {
  const workspaceId = mail.workspaceId ?? link?.workspaceId;
  if (!isInvite(mail.type) || !workspaceId) return [];
  const workspace = await findById(tx, Workspace, workspaceId);
  const max = workspace && dailyInvites(config.limits.invitesPerDay, workspace.createdAt, now);
  return max === undefined ? [] : [{ counter: `invites/${workspaceId}`, windowMs: dayMs, max }];
}

function isInvite(type: Letter['mail']['type']): boolean {
  return (type.endsWith('.invited') || type === 'partner.added') && mailSpec(type).open === true;
}
