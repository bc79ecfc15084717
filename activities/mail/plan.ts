import { findById, findOne } from '../../entities/database/find';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { NotificationPreference } from '../../entities/tables/mail/notification-preference.entity';
import {
  mailDecision,
  mailSpec,
  type MailFacts,
  type MailStatus,
} from '../../entities/rules/mail/mail';
import { wantsMail } from '../../entities/rules/notifications/preferences';
import { type Db, execute, queryOne, type Tx } from '../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import { closeDigest, collect } from './digest';
import { readLetter, render, type ComposedMail, type Letter } from './render';
import { governingType, mailColumns, type MailRow } from './rows';
import { isSuppressed } from '../suppression/suppression';
import { mayKeep, mayRedirect, mayWrite, type MailContext } from './throttle';
import { Mail } from '../../entities/tables/mail/mail.entity';
import { update } from '../../entities/database/update';

export interface Sending {
  mail: MailRow;
  composed: ComposedMail;
  to: string;
  onSuccess: 'sent' | 'redirected';
}

type Plan = Sending | { status: MailStatus };

type Context = MailContext<Deps>;

/** Decides what becomes of a mail; what it does not send is finished with the transaction. */
export async function planMail(context: Context, mailId: string): Promise<Plan> {
  const { deps, tx, now } = context;
  const mail = await queryOne<MailRow>(
    tx,
    `SELECT ${mailColumns} FROM mails WHERE id = $1 FOR UPDATE`,
    [mailId],
  );
  if (!mail) return { status: 'dropped' };
  if (mail.status !== 'queued') return { status: mail.status };
  if (mail.type === 'digest') await closeDigest(tx, mail, now);

  const letter = await letterOf(context, mail);
  if (!letter) return close(tx, { mailId, status: 'dropped' }, now);

  const facts = await factsOf(deps, tx, letter);
  switch (mailDecision(facts)) {
    case 'drop':
      return close(tx, { mailId, status: 'dropped' }, now);
    case 'suppress':
      return planKept(context, letter);
    case 'redirect':
      return planRedirect(context, { letter, to: facts.testRedirect ?? letter.recipient });
    case 'send':
      return planSending(context, letter);
  }
}

async function letterOf({ deps, tx, now }: Context, mail: MailRow): Promise<Letter | undefined> {
  return (await isUnannounced(tx, mail)) ? undefined : readLetter(deps, tx, { mail, now });
}

/** Whom an import brought reads nothing of it until that is announced, or they claim it. */
async function isUnannounced(tx: Tx, { side, accountId, params }: MailRow): Promise<boolean> {
  if (side !== 'partner') return false;
  const row = await queryOne(
    tx,
    `SELECT 1 FROM participants AS p
      WHERE p.unannounced_since IS NOT NULL AND p.claimed_at IS NULL
        AND (p.id = $1::uuid OR $1::uuid IS NULL AND p.partner_id = $2::uuid
          AND NOT EXISTS (SELECT 1 FROM participants AS o
            WHERE o.partner_id = $2 AND (o.unannounced_since IS NULL OR o.claimed_at IS NOT NULL)))
      LIMIT 1`,
    [params.participantId ?? null, accountId],
  );
  return row !== undefined;
}

async function planSending(context: Context, letter: Letter): Promise<Plan> {
  const { deps, tx, now } = context;
  const { mail, recipient } = letter;
  if (!(await mayWrite(context, letter))) {
    return close(tx, { mailId: mail.id, status: 'throttled' }, now);
  }
  if (await collect(tx, mail, now)) return { status: 'digested' };
  return { mail, composed: render(deps, letter, 'recipient'), to: recipient, onSuccess: 'sent' };
}

async function planRedirect(
  context: Context,
  { letter, to }: { letter: Letter; to: string },
): Promise<Plan> {
  const { deps, tx, now } = context;
  const { mail } = letter;
  const composed = render(deps, letter, 'copy');
  await show(tx, letter, composed.subject);
  if (!(await mayRedirect(context, { letter, to }))) {
    return endWith(tx, { mailId: mail.id, status: 'throttled' }, now);
  }
  return { mail, composed, to, onSuccess: 'redirected' };
}

/** Test mode without a redirect, or an address that bounced. */
async function planKept(context: Context, letter: Letter): Promise<Plan> {
  const { deps, tx, now } = context;
  const { mail } = letter;
  await show(tx, letter, render(deps, letter, 'copy').subject);
  const inLog = mail.mode === 'test';
  const status = inLog && !(await mayKeep(context, letter)) ? 'throttled' : 'suppressed';
  return endWith(tx, { mailId: mail.id, status }, now);
}

async function factsOf(deps: Deps, tx: Tx, letter: Letter): Promise<MailFacts> {
  const { mail, recipient } = letter;
  const { mode, workspaceId } = mail;
  const ofTest = mode === 'test' && workspaceId ? await findById(tx, Workspace, workspaceId) : null;
  const testRedirect = ofTest?.testEmailRedirect ?? null;
  return {
    type: governingType(mail),
    mode: mail.mode,
    emailPreference: await prefersEmail(tx, letter),
    addressSuppressed: await isSuppressed({ db: tx, vault: deps.vault }, recipient),
    testRedirect,
    testRedirectSuppressed:
      testRedirect !== null && (await isSuppressed({ db: tx, vault: deps.vault }, testRedirect)),
  };
}

async function prefersEmail(tx: Tx, { mail, account }: Letter): Promise<boolean> {
  const type = governingType(mail);
  const { category } = mailSpec(type);
  if (category === null || mail.side === null || !account) return true;
  const where = { accountId: account.id, category };
  const chosen = await findOne(tx, NotificationPreference, { where });
  return wantsMail(mail.side, type, chosen?.email);
}

interface End {
  mailId: string;
  status: MailStatus;
}

/** Ends a mail that is in no log: it keeps no address, which may be a stranger's, out of a form. */
async function close(tx: Tx, end: End, now: Date): Promise<{ status: MailStatus }> {
  await update(tx, Mail, { set: { recipient: null }, where: { id: end.mailId } });
  return endWith(tx, end, now);
}

async function endWith(tx: Tx, end: End, now: Date): Promise<{ status: MailStatus }> {
  await finish(tx, end, now);
  return { status: end.status };
}

/** Notes subject and intended recipient, for the notification log. */
async function show(tx: Tx, { mail, shownRecipient }: Letter, subject: string): Promise<void> {
  await update(tx, Mail, { set: { subject, recipient: shownRecipient }, where: { id: mail.id } });
}

export async function finish(db: Db, { mailId, status }: End, now: Date): Promise<void> {
  const set = { status, finishedAt: now };
  await update(db, Mail, { set, where: { id: mailId, status: 'queued' } });
  await execute(db, 'DELETE FROM sealed_recipients WHERE mail_id = $1', [mailId]);
}
