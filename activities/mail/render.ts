import { findOne } from '../../entities/database/find';
import { SealedRecipient } from '../../entities/tables/erasure/sealed-recipient.entity';
import type { Side } from '../../entities/rules/accounts/accounts';
import { digestLines } from '../../entities/rules/mail/digest';
import { erasedEmail } from '../../entities/rules/erasure/erasure';
import { unsubscribeCategory } from '../../entities/rules/mail/mail';
import type { Amount } from '../../entities/rules/notifications/facts';
import { recordPath, type RecordIds } from '../../entities/rules/notifications/record-path';
import { query, type Db } from '../../entities/database/sql';
import { findAccount, type AccountRow } from '../accounts/accounts';
import type { Deps } from '../../runtime/process/deps';
import { linkOf, mailLink, refusalLink, type MailLink } from './links';
import { ownLink } from './own-link';
import { governingType, mailColumns, type MailRow } from './rows';
import { digestContent } from './templates/digest';
import { showable, type TemplateFacts } from './templates/facts';
import { templateOf } from './templates';
import { renderLayout, type MailContent, type RenderedMail } from './templates/layout';
import { unsubscribeUrl } from './unsubscribe';

type Rendering = Pick<Deps, 'config' | 'vault'>;

/** A mail with all that belongs to it, read at one time. */
export interface Letter {
  mail: MailRow;
  account: AccountRow | undefined;
  /** The address that it is meant for. */
  recipient: string;
  /** The same for the notification log, which shows no erased person. */
  shownRecipient: string;
  link: MailLink | undefined;
  content: (link: string | undefined, refusal: string | undefined) => MailContent;
}

/**
 * Who reads a mail. `recipient`: the person it is meant for. `copy`: another person, who must not
 * act in that person's name: the unsubscribe link is a dead one. `onlooker`: one who may not use
 * an invite either.
 */
export type Reader = 'recipient' | 'copy' | 'onlooker';

export interface ComposedMail extends RenderedMail {
  /** The link in the mail's header List-Unsubscribe; absent in copies. */
  unsubscribeUrl: string | undefined;
}

/** The word in the place of a token: no token has this form. */
const noToken = 'not-in-this-copy';

/** Undefined when a mail has lost its point: no such account, a dead token, a withdrawn invite. */
export async function readLetter(
  deps: Rendering,
  db: Db,
  { mail, now }: { mail: MailRow; now: Date },
): Promise<Letter | undefined> {
  const account = await recipientAccount(db, mail);
  if (mail.accountId !== null && !account) return undefined;
  const known = account && mail.accountId !== null ? account.email : mail.recipient;
  const recipient = known ?? (await sealedRecipient(deps, db, mail.id));
  if (recipient === null) return undefined;

  const link = await linkOf({ db, vault: deps.vault }, { mail, account, recipient, now });
  if (link === 'dead') return undefined;
  const content = mail.type === 'digest' ? await readDigest(db, mail, account) : undefined;
  const referralUrl = await ownLink(db, mail);
  return {
    mail,
    account,
    recipient,
    shownRecipient: known ?? erasedEmail,
    link,
    content: (url, refusal) =>
      content ??
      write(mail, { account, link, url, refusal, referralUrl, record: recordOf(deps, mail) }),
  };
}

/** The address of a person whose account is erased, until the mail is finished. */
async function sealedRecipient(
  { vault }: Pick<Rendering, 'vault'>,
  db: Db,
  mailId: string,
): Promise<string | null> {
  const row = await findOne(db, SealedRecipient, { where: { mailId } });
  return row ? vault.decrypt(row.sealed, ['sealed_recipients.sealed', mailId]) : null;
}

/** A mail as its reader sees it. Tokens are derived, so it can be rendered as often as it must. */
export function render(deps: Rendering, letter: Letter, reader: Reader): ComposedMail {
  const { link } = letter;
  const token = reader === 'onlooker' ? noToken : link?.token;
  const url = link && token ? mailLink(deps.config, link.purpose, token) : undefined;
  const refusal =
    url && token && link?.purpose === 'verify' ? refusalLink(deps.config, token) : undefined;
  const unsubscribe = unsubscribeOf(deps, letter, reader);
  const sender = senderName(deps.config.mailFrom);
  const rendered = renderLayout(letter.content(url, refusal), {
    sender,
    unsubscribeUrl: unsubscribe,
  });
  return { ...rendered, unsubscribeUrl: reader === 'recipient' ? unsubscribe : undefined };
}

/** Reset mails name an address only: whether it has an account is found out here (see requestReset). */
async function recipientAccount(db: Db, mail: MailRow): Promise<AccountRow | undefined> {
  if (mail.side === null) return undefined;
  if (mail.accountId !== null) return ownAccount(db, mail.side, mail);
  if (mail.type !== 'account.reset_password' || mail.recipient === null) return undefined;
  return findAccount(db, mail.side, { email: mail.recipient });
}

/** The recipient's own account. In test mode nothing leaves: an address did not ask for its account of a sandbox. */
async function ownAccount(
  db: Db,
  side: Side,
  { accountId, mode }: MailRow,
): Promise<AccountRow | undefined> {
  const account = await findAccount(db, side, { id: accountId ?? '' });
  return account && account.heldIn !== null && mode !== 'test' ? undefined : account;
}

interface Writing {
  account: AccountRow | undefined;
  link?: MailLink | undefined;
  url?: string | undefined;
  refusal?: string | undefined;
  referralUrl?: string | undefined;
  record?: TemplateFacts['record'];
}

/** Where a mail's button leads; those of accounts and invites have links of their own. */
function recordOf({ config }: Pick<Rendering, 'config'>, mail: MailRow): TemplateFacts['record'] {
  const { side, type, mode, params, createdAt } = mail;
  const { happenedAt } = params as { happenedAt?: string };
  if (side === null) return undefined;
  const path = recordPath({ side, type, mode }, params as RecordIds);
  return {
    url: `${config.dashboardUrl}${path}`,
    at: happenedAt ? new Date(happenedAt) : createdAt,
  };
}

function write(
  mail: MailRow,
  { account, link, url, refusal, referralUrl, record }: Writing,
): MailContent {
  if (mail.type === 'digest') throw new Error('a digest is written from its mails');
  const verified = account?.emailVerified ?? false;
  const facts: TemplateFacts = {
    side: mail.side ?? 'merchant',
    params: { ...showable({ ...mail.params, ...link?.params }, { verified }), referralUrl },
    link: url,
    refusal,
    record,
  };
  return templateOf(mail.type)(facts);
}

async function readDigest(
  db: Db,
  digest: MailRow,
  account: AccountRow | undefined,
): Promise<MailContent> {
  const rows = await query<MailRow & { total: number }>(
    db,
    `SELECT ${mailColumns}, (count(*) OVER ())::int AS total FROM mails
     WHERE digest_id = $1 ORDER BY created_at, id LIMIT ${digestLines}`,
    [digest.id],
  );
  const type = governingType(digest);
  const { emailVerified: verified = false } = account ?? {};
  return digestContent({
    type,
    lines: rows.map((mail) => ({
      subject: write(mail, { account }).subject,
      programName: showable(mail.params, { verified }).programName,
    })),
    total: rows[0]?.total ?? 0,
    // A refund's mail shows what is left of each commission; the sum of that means nothing.
    sums: type === 'commission.refunded' ? [] : await sumsOf(db, digest),
  });
}

/** What the mails of a digest come to: one amount of each, or one for each currency. */
function sumsOf(db: Db, { id }: MailRow): Promise<Amount[]> {
  return query<Amount>(
    db,
    `SELECT a.one->>'currency' AS currency, sum((a.one->>'amountCents')::bigint)::bigint AS "amountCents"
       FROM mails AS m
      CROSS JOIN LATERAL jsonb_array_elements(
        coalesce(m.params->'amounts', jsonb_build_array(m.params->'amount'))) AS a (one)
      WHERE m.digest_id = $1 AND jsonb_typeof(a.one) = 'object'
      GROUP BY 1 ORDER BY 1`,
    [id],
  );
}

function unsubscribeOf(
  deps: Rendering,
  { mail, account }: Letter,
  reader: Reader,
): string | undefined {
  const category = unsubscribeCategory(governingType(mail));
  if (!category || !account || mail.side === null) return undefined;
  if (reader !== 'recipient') return `${deps.config.publicBaseUrl}/unsubscribe?token=${noToken}`;
  return unsubscribeUrl(deps, { side: mail.side, accountId: account.id, category });
}

/** `Shop <no-reply@shop.example>` signs as Shop. */
export function senderName(mailFrom: string): string {
  const [name = ''] = mailFrom.split('<');
  return name.replaceAll('"', '').trim() || mailFrom;
}
