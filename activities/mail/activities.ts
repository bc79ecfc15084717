import type { MailStatus } from '../../entities/rules/mail/mail';
import type { Deps } from '../../runtime/process/deps';
import { deliverMail } from './deliver';
import { orderMail, type MailCommand } from './operator-commands';
import { finish } from './plan';
import { createMailServer, type MailServer } from './server';

/** The activities of the workflow deliverMail. Ids in, a status out: no personal data on the way. */
export function createMailActivities(deps: Deps, server: MailServer = createMailServer(deps)) {
  return {
    /**
     * One attempt; throws while the mail server is away, for Temporal to try again. While its breaker
     * is open most attempts end before they ask the server.
     */
    async sendMail({ mailId }: { mailId: string }): Promise<{ status: MailStatus }> {
      return { status: await deliverMail(deps, server, mailId) };
    },
    /** What an operator commands for a mail that waits. */
    orderMail: (command: MailCommand): Promise<void> => orderMail(deps, command),
    /** Ends a mail after its last attempt. */
    async giveUpMail({ mailId }: { mailId: string }): Promise<void> {
      deps.log.error({ mailId }, 'a mail was given up: the mail server did not take it for a day');
      await finish(deps.db.manager, { mailId, status: 'failed' }, deps.clock.now());
    },
  };
}
