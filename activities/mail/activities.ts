import { type MailStatus } from '../../entities/rules/mail/mail';
import { transaction } from '../../entities/database/sql';
import { createMailer, type Mailer } from '../../runtime/connections/mailer';
import type { Deps } from '../../runtime/process/deps';
import { finish, planMail, type Sending } from './plan';

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
  const plan = await transaction(deps.db.manager, (tx) => planMail({ deps, tx, now }, mailId));
  if ('status' in plan) return plan.status;

  const outcome = await send(deps, mailer, plan);
  const status = outcome === 'refused' ? 'failed' : plan.onSuccess;
  await finish(deps.db.manager, { mailId, status }, deps.clock.now());
  return status;
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
