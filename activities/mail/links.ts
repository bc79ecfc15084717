import { queryOne, type Db } from '../../entities/database/sql';
import type { AccountRow } from '../accounts/accounts';
import { claimToken } from '../accounts/claim';
import { issueEmailToken } from '../accounts/email-tokens';
import { deriveMailToken, type MailTokenPurpose } from '../../runtime/crypto/mail-tokens';
import type { Deps } from '../../runtime/process/deps';
import { isMemberInviteOpen } from '../../entities/rules/workspace/member-invite';
import { findMemberInvite, memberInviteToken } from '../workspace/member-invites';
import type { MailRow } from './rows';
import { isSuppressed } from '../suppression/suppression';
import type { MailParams } from './templates/facts';

type Rendering = Pick<Deps, 'config' | 'vault'>;

export interface MailLink {
  purpose: MailTokenPurpose;
  token: string;
  params?: MailParams;
  /** The workspace that an invite belongs to, where the mail itself belongs to none. */
  workspaceId?: string;
}

export interface LinkSubject {
  mail: MailRow;
  account: AccountRow | undefined;
  recipient: string;
  now: Date;
}

/** The link that a mail is about; `dead` when it would lead nowhere: the mail has lost its point. */
export async function linkOf(
  { vault }: Pick<Rendering, 'vault'>,
  db: Db,
  { mail, account, recipient, now }: LinkSubject,
): Promise<MailLink | 'dead' | undefined> {
  switch (mail.type) {
    case 'account.verify_email':
      return accountLink(vault, db, { mail, account, now, purpose: 'verify' });
    case 'account.reset_password':
      return accountLink(vault, db, { mail, account, now, purpose: 'reset' });
    case 'member.invited':
      return memberInviteLink(vault, db, { mail, now });
    case 'partner.invited':
      return partnerInviteLink(vault, mail, recipient);
    case 'partner.added':
      return claimLink(vault, db, mail);
    default:
      return undefined;
  }
}

async function accountLink(
  vault: Rendering['vault'],
  db: Db,
  command: Pick<LinkSubject, 'mail' | 'account' | 'now'> & { purpose: 'verify' | 'reset' },
): Promise<MailLink | 'dead'> {
  const { mail, account, purpose, now } = command;
  if (!account || (purpose === 'verify' && !(await wantsVerifying(vault, db, account))))
    return 'dead';
  const request = { id: mail.id, purpose, account, requestedAt: mail.createdAt };
  const token = await issueEmailToken({ db, vault }, { now }, request);
  return token === undefined ? 'dead' : { purpose, token };
}

/** A verified address that takes no mail is verified anew, which lifts its suppression. */
async function wantsVerifying(
  vault: Rendering['vault'],
  db: Db,
  { email, emailVerified }: AccountRow,
): Promise<boolean> {
  return !emailVerified || isSuppressed({ db, vault }, email);
}

async function memberInviteLink(
  vault: Rendering['vault'],
  db: Db,
  { mail: { params }, now }: Pick<LinkSubject, 'mail' | 'now'>,
): Promise<MailLink | 'dead'> {
  const invite = await findMemberInvite(db, String(params.inviteId));
  if (!invite || !isMemberInviteOpen(invite, now)) return 'dead';
  if (invite.generation !== params.generation) return 'dead';

  const { workspaceId, role } = invite;
  const workspace = await queryOne<{ name: string }>(
    db,
    'SELECT name FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  return {
    purpose: 'member_invite',
    token: memberInviteToken(vault, invite),
    params: { workspaceName: workspace?.name ?? '', role },
    workspaceId,
  };
}

/** Params: inviteId, generation, programName. Its token is of purpose partner_invite. */
function partnerInviteLink(
  vault: Rendering['vault'],
  { params }: MailRow,
  email: string,
): MailLink {
  const token = deriveMailToken(vault, {
    purpose: 'partner_invite',
    id: String(params.inviteId),
    email,
    generation: Number(params.generation),
  });
  return { purpose: 'partner_invite', token };
}

/** Params: participantId. Dead once the participation is erased or gone. */
async function claimLink(
  vault: Rendering['vault'],
  db: Db,
  { params }: MailRow,
): Promise<MailLink | 'dead'> {
  const token = await claimToken({ db, vault }, String(params.participantId));
  return token === undefined ? 'dead' : { purpose: 'claim', token };
}

const pages: Record<MailTokenPurpose, string> = {
  verify: '/verify-email',
  reset: '/reset-password',
  member_invite: '/accept-invite',
  partner_invite: '/partner-invite',
  claim: '/claim',
};

/** The page that a link in a mail leads to, on the dashboard; never built from a Host header. */
export function mailLink(
  { dashboardUrl }: Pick<Deps['config'], 'dashboardUrl'>,
  purpose: MailTokenPurpose,
  token: string,
): string {
  return `${dashboardUrl}${pages[purpose]}?token=${token}`;
}
