import { ApplicationFailure } from '@temporalio/common';
import type { MailStatus } from '../../entities/rules/mail/mail';
import { transaction } from '../../entities/database/sql';
import {
  createMailer,
  isAboutServer,
  type Mailer,
  type SendOutcome,
} from '../../runtime/connections/mailer';
import { mailAttempts, mailTopic, mailWaits } from './metrics';
import { createMailServerBreaker, type MailServerBreaker } from './server-breaker';
import type { Deps } from '../../runtime/process/deps';
import { finish, planMail, type Sending } from './plan';
import { orderMail, type OrderedMail } from './orders';
import { suppress } from '../suppression/suppression';

/** The activities of the workflow deliverMail. Ids in, a status out: no personal data on the way. */
export function createMailActivities(deps: Deps) {
  const server = { mailer: createMailer(deps.config), breaker: createMailServerBreaker(deps) };
  return {
    /**
     * One attempt; throws while the mail server is away, for Temporal to try again. While its breaker
     * is open most attempts end before they ask the server.
     */
    async sendMail({ mailId }: { mailId: string }): Promise<{ status: MailStatus }> {
      return { status: await deliver(deps, server, mailId) };
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
async function deliver(deps: Deps, server: Server, mailId: string): Promise<MailStatus> {
  const now = deps.clock.now();
  const plan = await transaction(deps.db.manager, (tx) => planMail({ deps, tx, now }, mailId));
  if ('status' in plan) return plan.status;

  const outcome = await send(deps, server, plan);
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

interface Server {
  mailer: Mailer;
  breaker: MailServerBreaker;
}

/** The server's words name the address: they go to no history and no log. */
async function send(
  deps: Pick<Deps, 'log' | 'metrics' | 'clock'>,
  { mailer, breaker }: Server,
  { mail, composed, to }: Sending,
): Promise<SendOutcome> {
  if (!breaker.mayTry()) {
    throw away('the mail server is away', againAfterMs[mailTopic(mail.type)]);
  }
  const { subject, html, text, unsubscribeUrl } = composed;
  const attempts = mailAttempts(deps.metrics);
  try {
    const letter = { messageId: mail.id, to, subject, html, text, unsubscribeUrl };
    const outcome = await mailer.send(letter);
    attempts.inc({ type: mail.type, outcome });
    breaker.worked();
    const waitedMs = deps.clock.now().getTime() - mail.createdAt.getTime();
    const topic = mailTopic(mail.type);
    if (outcome === 'accepted') mailWaits(deps.metrics).observe({ topic }, waitedMs / 1_000);
    return outcome;
  } catch (error) {
    attempts.inc({ type: mail.type, outcome: 'try_again' });
    if (isAboutServer(error)) breaker.failed();
    else breaker.worked();
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    const { id: mailId, type } = mail;
    deps.log.warn({ mailId, type, code, responseCode }, 'a mail could not be sent');
    const why = responseCode ?? code ?? 'no answer';
    throw away(`the mail server did not take the mail (${why})`);
  }
}

/** While the breaker is open: mails that somebody waits for come back first, and make its probes. */
const againAfterMs = { mail: 30_000, notice_mail: 5 * 60_000 } as const;

function away(message: string, nextRetryDelay?: number): ApplicationFailure {
  const delay = nextRetryDelay === undefined ? {} : { nextRetryDelay };
  return ApplicationFailure.create({ message, type: 'MailServerAway', ...delay });
}
