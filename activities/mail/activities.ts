import type { MailStatus } from '../../entities/rules/mail/mail';
import { transaction } from '../../entities/database/sql';
import { createMailer } from '../../runtime/connections/mailer';
import { createMailServerBreaker } from './server-breaker';
import type { Deps } from '../../runtime/process/deps';
import { finish, planMail, type Sending } from './plan';
import { orderMail, type OrderedMail } from './orders';
import { send, type MailServer } from './send';
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
async function deliver(deps: Deps, server: MailServer, mailId: string): Promise<MailStatus> {
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
