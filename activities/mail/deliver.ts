import type { MailStatus } from '../../entities/rules/mail/mail';
import { transaction } from '../../entities/database/sql';
import type { Deps } from '../../runtime/process/deps';
import { suppress } from '../suppression/suppression';
import { finish, planMail, type Sending } from './plan';
import { send } from './send';
import type { MailServer } from './server';

/**
 * One attempt: decides what becomes of a mail and does it; throws for one that is to be tried again.
 * Sending is outside any transaction; a crash between sending and noting it sends again under the same
 * Message-ID. Of two attempts at the same time both may send: callers see to it that there is one.
 */
export async function deliverMail(
  deps: Deps,
  server: MailServer,
  mailId: string,
): Promise<MailStatus> {
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
