import type { MailStatus } from '../../entities/rules/mail/mail';
import { transaction } from '../../entities/database/sql';
import { createMailer, type Mailer, type SendOutcome } from '../../runtime/connections/mailer';
import { mailAttempts } from './metrics';
import type { Deps } from '../../runtime/process/deps';
import { finish, planMail, type Sending } from './plan';
import { orderMail, type OrderedMail } from './orders';
import { suppress } from '../suppression/suppression';

/** The activities of the workflow deliverMail. Ids in, a status out: no personal data on the way. */
export function createMailActivities(deps: Deps) {
  const mailer = createMailer(deps.config);
  return {
    /** One attempt; throws while the mail server is away, for Temporal to try again. */
    async sendMail({ mailId }: { mailId: string }): Promise<{ status: MailStatus }> {
      return { status: await deliver(deps, mailer, mailId) };
    },
    /** What an operator orders for a mail that waits. */
    orderMail: (ordered: OrderedMail): Promise<void> => orderMail(deps, ordered),
    /** After the last attempt. */
    async giveUpMail({ mailId }: { mailId: string }): Promise<void> {
      deps.log.error({ mailId }, 'a mail was given up: the mail server did not take it for a day');
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
  const plan = await transaction(deps.db.manager, (tx) => planMail({ deps, tx, now }, mailId));
  if ('status' in plan) return plan.status;

  const outcome = await send(deps, mailer, plan);
  if (outcome === 'accepted') return end(deps, plan, plan.onSuccess);
  deps.log.warn({ mailId, type: plan.mail.type, outcome }, 'the mail server refused a mail');
  if (outcome === 'no_such_recipient') {
    const bounced = { addresses: [plan.to], reason: 'bounced' as const };
    await transaction(deps.db.manager, (tx) =>
      suppress({ db: tx, vault: deps.vault }, { now }, bounced),
    );
  }
  return end(deps, plan, 'failed');
}

async function end(deps: Deps, { mail }: Sending, status: MailStatus): Promise<MailStatus> {
  await finish(deps.db.manager, { mailId: mail.id, status }, deps.clock.now());
  return status;
}

/** The server's words name the address: they go to no history and no log. */
async function send(
  deps: Pick<Deps, 'log' | 'metrics'>,
  mailer: Mailer,
  { mail, composed, to }: Sending,
): Promise<SendOutcome> {
  const { subject, html, text, unsubscribeUrl } = composed;
  const attempts = mailAttempts(deps.metrics);
  try {
    const letter = { messageId: mail.id, to, subject, html, text, unsubscribeUrl };
    const outcome = await mailer.send(letter);
    attempts.inc({ type: mail.type, outcome });
    return outcome;
  } catch (error) {
    attempts.inc({ type: mail.type, outcome: 'try_again' });
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    const { id: mailId, type } = mail;
    deps.log.warn({ mailId, type, code, responseCode }, 'a mail could not be sent');
    throw new Error(
      `the mail server did not take the mail (${responseCode ?? code ?? 'no answer'})`,
    );
  }
}
