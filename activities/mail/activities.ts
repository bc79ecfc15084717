import {
  emailDefault,
  mailDecision,
  mailSpec,
  type MailStatus,
} from '../../entities/rules/mail/mail';
import { type Db, execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import { composeMail, mailColumns, type ComposedMail, type MailRow } from './render';
import type { Deps } from '../runtime/process/deps';
import { createMailer, type Mailer } from '../runtime/connections/mailer';
import { isSuppressed } from './suppression';

/** The activities of the workflow deliverMail. Ids in, a status out: no personal data on the way. */
export function createMailActivities(deps: Deps) {
  const mailer = createMailer(deps.config);
  return {
    /** One attempt; throws while the mail server is away, for Temporal to try again. */
    async sendMail({ mailId }: { mailId: string }): Promise<{ status: MailStatus }> {
      return { status: await deliver(deps, mailer, mailId) };
    },
    /** After the last attempt. */
    async giveUpMail({ mailId }: { mailId: string }): Promise<void> {
      await finish(deps.db.manager, { mailId, status: 'failed' }, deps.clock.now());
    },
  };
}

/**
 * Decides what becomes of a mail and does it. Sending is outside any transaction; a crash between
 * sending and noting it sends again under the same Message-ID.
 */
async function deliver(deps: Deps, mailer: Mailer, mailId: string): Promise<MailStatus> {
  const now = deps.clock.now();
  const plan = await transaction(deps.db.manager, (tx) => planMail(deps, tx, mailId, now));
  if ('status' in plan) return plan.status;

  const outcome = await send(deps, mailer, plan);
  const status = outcome === 'refused' ? 'failed' : plan.onSuccess;
  await finish(deps.db.manager, { mailId, status }, deps.clock.now());
  return status;
}

interface Sending {
  mail: MailRow;
  composed: ComposedMail;
  to: string;
  onSuccess: 'sent' | 'redirected';
}

/** The server's words name the address: they go to no history and no log. */
async function send(
  { log }: Pick<Deps, 'log'>,
  mailer: Mailer,
  { mail, composed, to }: Sending,
): Promise<'accepted' | 'refused'> {
  const { subject, html, text, unsubscribeUrl } = composed;
  try {
    return await mailer.send({ messageId: mail.id, to, subject, html, text, unsubscribeUrl });
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    log.warn({ mailId: mail.id, type: mail.type, code, responseCode }, 'a mail could not be sent');
    throw new Error(
      `the mail server did not take the mail (${responseCode ?? code ?? 'no answer'})`,
    );
  }
}

async function planMail(
  deps: Deps,
  tx: Tx,
  mailId: string,
  now: Date,
): Promise<Sending | { status: MailStatus }> {
  const mail = await queryOne<MailRow>(
    tx,
    `SELECT ${mailColumns} FROM mails WHERE id = $1 FOR UPDATE`,
    [mailId],
  );
  if (!mail) return { status: 'dropped' };
  if (mail.status !== 'queued') return { status: mail.status };

  const composed = await composeMail(deps, tx, mail, now);
  if (!composed) return drop(tx, mailId, now);

  const facts = await factsOf(deps, tx, mail, composed);
  const { subject, recipient } = composed;
  switch (mailDecision(facts)) {
    case 'drop':
      return drop(tx, mailId, now);
    case 'suppress':
      await finish(tx, { mailId, status: 'suppressed', shown: { subject, recipient } }, now);
      return { status: 'suppressed' };
    case 'redirect':
      await show(tx, mailId, { subject, recipient });
      return { mail, composed, to: facts.testRedirect ?? recipient, onSuccess: 'redirected' };
    case 'send':
      return { mail, composed, to: recipient, onSuccess: 'sent' };
  }
}

async function factsOf(deps: Deps, tx: Tx, mail: MailRow, { recipient, account }: ComposedMail) {
  const testRedirect = mail.mode === 'test' ? await redirectOf(tx, mail.workspaceId) : null;
  return {
    type: mail.type,
    mode: mail.mode,
    emailPreference: account ? await prefersEmail(tx, mail, account.id) : true,
    addressSuppressed: await isSuppressed(tx, deps.vault, recipient),
    testRedirect,
    testRedirectSuppressed:
      testRedirect !== null && (await isSuppressed(tx, deps.vault, testRedirect)),
  };
}

async function redirectOf(tx: Tx, workspaceId: string | null): Promise<string | null> {
  const row = await queryOne<{ redirect: string | null }>(
    tx,
    'SELECT test_email_redirect AS redirect FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  return row?.redirect ?? null;
}

async function prefersEmail(tx: Tx, { type, side }: MailRow, accountId: string): Promise<boolean> {
  const { category } = mailSpec(type);
  if (category === null || side === null) return true;
  const row = await queryOne<{ email: boolean | null }>(
    tx,
    'SELECT email FROM notification_preferences WHERE account_id = $1 AND category = $2',
    [accountId, category],
  );
  return row?.email ?? emailDefault(side, category);
}

/** A mail that nobody gets keeps no address: a stranger's may have been typed into a form. */
async function drop(tx: Tx, mailId: string, now: Date): Promise<{ status: 'dropped' }> {
  await execute(
    tx,
    `UPDATE mails SET status = 'dropped', recipient = NULL, finished_at = $2
     WHERE id = $1 AND status = 'queued'`,
    [mailId, now],
  );
  return { status: 'dropped' };
}

/** Notes subject and intended recipient, for the notification log. */
async function show(
  db: Db,
  mailId: string,
  { subject, recipient }: { subject: string; recipient: string },
): Promise<void> {
  await execute(db, 'UPDATE mails SET subject = $2, recipient = $3 WHERE id = $1', [
    mailId,
    subject,
    recipient,
  ]);
}

async function finish(
  db: Db,
  end: { mailId: string; status: MailStatus; shown?: { subject: string; recipient: string } },
  now: Date,
): Promise<void> {
  const { mailId, status, shown } = end;
  if (shown) await show(db, mailId, shown);
  await execute(
    db,
    `UPDATE mails SET status = $2, finished_at = $3 WHERE id = $1 AND status = 'queued'`,
    [mailId, status, now],
  );
}
