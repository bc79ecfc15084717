import { ApplicationFailure } from '@temporalio/common';
import { deliverMail } from '../../activities/mail/deliver';
import type { MailServer } from '../../activities/mail/server';
import type { Work } from '../../activities/journal/outbox-claims';
import type { MailTopic } from '../../entities/rules/mail/mail';
import { inParallel } from '../../runtime/load/in-parallel';
import type { Deps } from '../../runtime/process/deps';
import { inTrailOf } from '../../runtime/observe/trail';
import type { TopicHandler } from './process-claim';

export interface MailSending {
  topic: MailTopic;
  server: MailServer;
  /** Starts the workflows of mails that failed; one that runs already is left alone. */
  retries: TopicHandler;
}

/**
 * Attempts each mail once. A mail that fails gets a workflow, which retries it. A mail that may have been
 * attempted before goes to its workflow at once, because the workflow's id keeps attempts to one at a time.
 * While the mail server is away, mails wait in the outbox, in its order.
 */
export function mailHandler(deps: Deps, { topic, server, retries }: MailSending): TopicHandler {
  const atOnce = Math.floor(deps.config.smtpConnections / 2);
  const mustWait = ({ payload }: Work): boolean =>
    // Most of test mode only lands in the log of mails, for which no server is needed.
    deps.lifecycle.stopping || (payload['mode'] !== 'test' && server.breaker.isResting(topic));
  return {
    // A claim is about a second's work: what waits behind it waits for all of it.
    claimSize: 50,
    async handle(work, report) {
      const done: number[] = [];
      const failed: Work[] = [];
      // An open breaker lets one probe through, and nothing beside it.
      const places = server.breaker.isOpen() ? 1 : atOnce;
      await inParallel(work, { atOnce: places }, async (item) => {
        if (wasTried(item)) failed.push(item);
        else if (mustWait(item)) report.away();
        else if (await isDelivered(deps, server, item)) done.push(item.id);
        else failed.push(item);
      });
      return [...done, ...(failed.length > 0 ? await retries.handle(failed, report) : [])];
    },
  };
}

/** Whether a relay tried it that died or could not start its workflow, or a repair found it. */
function wasTried({ attempts, deferrals, payload }: Work): boolean {
  return attempts > 1 || deferrals > 0 || payload['lost'] === true;
}

async function isDelivered(deps: Deps, server: MailServer, work: Work): Promise<boolean> {
  const { ref: mailId, requestId } = work;
  try {
    await inTrailOf(requestId, () => deliverMail(deps, server, mailId));
    return true;
  } catch (error) {
    // What the server said is in the log already.
    if (!(error instanceof ApplicationFailure)) {
      deps.log.warn({ err: error, mailId, requestId }, 'a mail could not be tried');
    }
    return false;
  }
}
