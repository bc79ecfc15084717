import { findById } from '../../entities/database/find';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { MemberInvite } from '../../entities/tables/workspace/member-invite.entity';
import type { Db } from '../../entities/database/sql';
import type { AccountRow } from '../accounts/accounts';
import { hasUnproven } from '../accounts/addresses';
import { claimToken } from '../accounts/claim';
import { issueEmailToken } from '../accounts/email-tokens';
import { wantsVerifying } from '../accounts/verify-email';
import { deriveMailToken, type MailTokenPurpose } from '../../runtime/crypto/mail-tokens';
import type { Deps } from '../../runtime/process/deps';
import { isMemberInviteOpen } from '../../entities/rules/workspace/member-invite';
import { memberInviteToken } from '../workspace/member-invites';
import type { MailRow } from './rows';
import type { MailParams } from './templates/facts';

export interface MailLink {
  purpose: MailTokenPurpose;
  token: string;
  params?: MailParams;
  /** The workspace that an invite belongs to, where the mail itself belongs to none. */
  workspaceId?: string;
}

interface LinkSubject {
  mail: MailRow;
  account: AccountRow | undefined;
  recipient: string;
  now: Date;
}

type Stores = Pick<Deps, 'vault'> & { db: Db };

/** The link that a mail is about; `dead` when it would lead nowhere: the mail has lost its point. */
export async function linkOf(
  stores: Stores,
  subject: LinkSubject,
): Promise<MailLink | 'dead' | undefined> {
  const { mail, account, recipient } = subject;
  const { params } = mail;
  switch (mail.type) {
    case 'account.verify_email':
      if (!account || !(await wantsVerifying(stores, account))) return 'dead';
      return verifyLink(stores, subject, account);
    case 'account.reset_password':
      return account ? accountLink(stores, subject, { account, purpose: 'reset' }) : 'dead';
    case 'member.invited':
      return memberInviteLink(stores, subject);
    case 'partner.invited': {
      const purpose = 'partner_invite';
      const invite = { id: String(params.inviteId), generation: Number(params.generation) };
      const token = deriveMailToken(stores.vault, { purpose, ...invite, email: recipient });
      return { purpose, token };
    }
    case 'partner.added': {
      // Dead once the participation is erased or gone.
      const token = await claimToken(stores, String(params.participantId));
      return token === undefined ? 'dead' : { purpose: 'claim', token };
    }
    default:
      return undefined;
  }
}

async function accountLink(
  stores: Stores,
  { mail, now }: LinkSubject,
  { account, purpose }: { account: AccountRow; purpose: 'verify' | 'reset' },
): Promise<MailLink | 'dead'> {
  const request = { id: mail.id, purpose, account, requestedAt: mail.createdAt };
  const token = await issueEmailToken(stores, { now }, request);
  return token === undefined ? 'dead' : { purpose, token };
}

/** The mail says what was typed, for whoever did not. */
async function verifyLink(
  stores: Stores,
  subject: LinkSubject,
  account: AccountRow,
): Promise<MailLink | 'dead'> {
  const link = await accountLink(stores, subject, { account, purpose: 'verify' });
  if (link === 'dead') return link;
  const askedAt = subject.mail.createdAt.toISOString();
  const unpaid = await hasUnproven(stores.db, account);
  return { ...link, params: { name: account.name, askedAt, unpaid } };
}

async function memberInviteLink(
  { db, vault }: Stores,
  { mail: { params }, now }: LinkSubject,
): Promise<MailLink | 'dead'> {
  const invite = await findById(db, MemberInvite, String(params.inviteId));
  if (!invite || !isMemberInviteOpen(invite, now)) return 'dead';
  if (invite.generation !== params.generation) return 'dead';

  const { workspaceId, role } = invite;
  const workspace = await findById(db, Workspace, workspaceId);
  return {
    purpose: 'member_invite',
    token: memberInviteToken(vault, invite),
    params: { workspaceName: workspace?.name ?? '', role },
    workspaceId,
  };
}

const pages: Record<MailTokenPurpose, string> = {
  verify: '/verify-email',
  reset: '/reset-password',
  member_invite: '/accept-invite',
  partner_invite: '/partner-invite',
  claim: '/claim',
};

/** Where who did not ask for an account says so: the same token, another page. */
export function refusalLink(
  { dashboardUrl }: Pick<Deps['config'], 'dashboardUrl'>,
  token: string,
): string {
  return `${dashboardUrl}/refuse-email?token=${token}`;
}

/** The page that a link in a mail leads to, on the dashboard; never built from a Host header. */
export function mailLink(
  { dashboardUrl }: Pick<Deps['config'], 'dashboardUrl'>,
  purpose: MailTokenPurpose,
  token: string,
): string {
  return `${dashboardUrl}${pages[purpose]}?token=${token}`;
}
