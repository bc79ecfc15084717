import type { Side } from '../../entities/rules/accounts/accounts';
import { unsubscribeCategory, type MailType } from '../../entities/rules/mail/mail';
import type { Mode } from '../../entities/rules/values/mode';
import { queryOne, type Db } from '../../entities/database/sql';
import { findAccount, type AccountRow } from '../accounts/accounts';
import { issueEmailToken } from '../accounts/email-tokens';
import { deriveMailToken, type MailTokenPurpose } from '../runtime/crypto/mail-tokens';
import { layOut, type RenderedMail } from './layout';
import { templates } from './templates';
import { findInvite, inviteToken, isOpenInvite } from '../workspace/member-invites';
import type { Deps } from '../runtime/process/deps';
import { unsubscribeUrl } from './unsubscribe';

export interface MailRow {
  id: string;
  type: MailType;
  side: Side | null;
  accountId: string | null;
  recipient: string | null;
  workspaceId: string | null;
  mode: Mode | null;
  params: Record<string, string | number | null>;
  status: 'queued' | 'sent' | 'suppressed' | 'redirected' | 'dropped' | 'failed';
  subject: string | null;
  createdAt: Date;
}

export const mailColumns = `id, type, side, account_id AS "accountId", recipient,
  workspace_id AS "workspaceId", mode, params, status, subject, created_at AS "createdAt"`;

export interface ComposedMail extends RenderedMail {
  /** The address that it is meant for. */
  recipient: string;
  account: AccountRow | undefined;
  unsubscribeUrl: string | undefined;
}

type Rendering = Pick<Deps, 'config' | 'vault'>;

/**
 * A mail as its reader sees it. Tokens are derived anew, so it can be rendered as often as it must.
 * Undefined when it has lost its point: no such account, a dead token, a withdrawn invite.
 */
export async function composeMail(
  deps: Rendering,
  db: Db,
  mail: MailRow,
  now: Date,
): Promise<ComposedMail | undefined> {
  const account = await recipientAccount(db, mail);
  if (mail.accountId !== null && !account) return undefined;
  const recipient = account && mail.accountId !== null ? account.email : mail.recipient;
  if (recipient === null) return undefined;

  const link = await linkOf(deps, db, { mail, account, recipient }, now);
  if (link === 'dead') return undefined;

  const unsubscribe = unsubscribeOf(deps, mail, account);
  const facts = {
    name: account?.name ?? null,
    params: { ...mail.params, ...link?.params },
    link: link?.url,
  };
  const content = templates[mail.type](facts);
  return { ...layOut(content, unsubscribe), recipient, account, unsubscribeUrl: unsubscribe };
}

/** Reset mails name an address only: whether it has an account is found out here (see requestReset). */
async function recipientAccount(db: Db, mail: MailRow): Promise<AccountRow | undefined> {
  if (mail.side === null) return undefined;
  if (mail.accountId !== null) return findAccount(db, mail.side, { id: mail.accountId });
  if (mail.type !== 'account.reset_password' || mail.recipient === null) return undefined;
  return findAccount(db, mail.side, { email: mail.recipient });
}

interface MailLink {
  url: string;
  params?: Record<string, string>;
}

interface Composition {
  mail: MailRow;
  account: AccountRow | undefined;
  recipient: string;
}

async function linkOf(
  deps: Rendering,
  db: Db,
  { mail, account, recipient }: Composition,
  now: Date,
): Promise<MailLink | 'dead' | undefined> {
  switch (mail.type) {
    case 'account.verify_email':
      return accountLink(deps, db, { mail, account, purpose: 'verify' }, now);
    case 'account.reset_password':
      return accountLink(deps, db, { mail, account, purpose: 'reset' }, now);
    case 'member.invited':
      return memberInviteLink(deps, db, mail, now);
    case 'partner.invited':
      return partnerInviteLink(deps, mail, recipient);
    default:
      return undefined;
  }
}

async function accountLink(
  { config, vault }: Rendering,
  db: Db,
  command: { mail: MailRow; account: AccountRow | undefined; purpose: 'verify' | 'reset' },
  now: Date,
): Promise<MailLink | 'dead'> {
  const { mail, account, purpose } = command;
  if (!account || (purpose === 'verify' && account.emailVerified)) return 'dead';
  const request = { id: mail.id, purpose, account, requestedAt: mail.createdAt };
  const token = await issueEmailToken(db, vault, request, now);
  if (token === undefined) return 'dead';
  return { url: mailLink(config, purpose, token) };
}

async function memberInviteLink(
  { config, vault }: Rendering,
  db: Db,
  { params }: MailRow,
  now: Date,
): Promise<MailLink | 'dead'> {
  const invite = await findInvite(db, String(params['inviteId']));
  if (!invite || !isOpenInvite(invite, now)) return 'dead';
  if (invite.generation !== params['generation']) return 'dead';

  const workspace = await queryOne<{ name: string }>(
    db,
    'SELECT name FROM workspaces WHERE id = $1',
    [invite.workspaceId],
  );
  return {
    url: mailLink(config, 'member_invite', inviteToken(vault, invite)),
    params: { workspaceName: workspace?.name ?? '', role: invite.role },
  };
}

/** Params: inviteId, generation, programName. Its token is of purpose partner_invite. */
function partnerInviteLink(
  { config, vault }: Rendering,
  { params }: MailRow,
  email: string,
): MailLink {
  const token = deriveMailToken(vault, {
    purpose: 'partner_invite',
    id: String(params['inviteId']),
    email,
    generation: Number(params['generation']),
  });
  return { url: mailLink(config, 'partner_invite', token) };
}

const pages: Record<MailTokenPurpose, string> = {
  verify: '/verify-email',
  reset: '/reset-password',
  member_invite: '/accept-invite',
  partner_invite: '/partner-invite',
};

/** The page that a link in a mail leads to, on the dashboard; never built from a Host header. */
export function mailLink(
  { dashboardUrl }: Pick<Deps['config'], 'dashboardUrl'>,
  purpose: MailTokenPurpose,
  token: string,
): string {
  return `${dashboardUrl}${pages[purpose]}?token=${token}`;
}

function unsubscribeOf(
  deps: Rendering,
  { type, side }: MailRow,
  account: AccountRow | undefined,
): string | undefined {
  const category = unsubscribeCategory(type);
  if (!category || !account || side === null) return undefined;
  return unsubscribeUrl(deps, { side, accountId: account.id, category });
}
