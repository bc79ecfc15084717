import {
  ActivityCancellationType,
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { MailStatus } from '../entities/rules/mail/mail';
import type { OperatorNote } from '../entities/rules/values/operator-note';
import { database } from './activities';
import { OperatorNudge } from './operator-nudge';
import type { DeliverMailInput } from '../runtime/temporal/messages';
import { asRefusal, detailsOf, instant, ofOperators } from './operators';

export const retryMailUpdate = defineUpdate<null, [OperatorNote]>('retryNow');
export const giveUpMailUpdate = defineUpdate<null, [OperatorNote]>('giveUp');

const updates = {
  retryNow: ofOperators('Tries the mail now, and has a day of attempts from now on.'),
  giveUp: ofOperators('Gives the mail up: it counts as failed and is not sent.'),
};

/** A mail server that is away may take a day to come back; after that a mail has lost its point. */
const { sendMail } = proxyActivities<Pick<Activities, 'sendMail'>>({
  startToCloseTimeout: '60s',
  scheduleToCloseTimeout: '24h',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  summary: 'Sends the mail; tried again for a day',
});

/**
 * One mail: rendered, then sent, kept back or dropped, as its row and the preferences say. To cancel
 * it is to give the mail up: the row says so, and no repair sends it.
 */
export async function deliverMail({ mailId }: DeliverMailInput): Promise<MailStatus> {
  const attempts = new OperatorNudge();
  const whole = new CancellationScope();
  setHandler(
    retryMailUpdate,
    async (note) => {
      await asRefusal(database.orderMail({ mailId, order: 'retry_now', note }));
      attempts.now();
      return null;
    },
    updates.retryNow,
  );
  setHandler(
    giveUpMailUpdate,
    async (note) => {
      await asRefusal(database.orderMail({ mailId, order: 'give_up', note }));
      whole.cancel();
      return null;
    },
    updates.giveUp,
  );
  setCurrentDetails(describe(mailId, instant()));
  try {
    const { status } = await whole.run(() => attempts.call(() => sendMail({ mailId })));
    await condition(allHandlersFinished);
    return status;
  } catch (error) {
    if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      await database.giveUpMail({ mailId });
      await condition(allHandlersFinished);
    });
    return 'failed';
  }
}

/** What an operator reads in Temporal Web. */
function describe(mailId: string, since: string): string {
  return detailsOf({
    about: `Mail ${mailId} (table mails)`,
    now: 'Is sent, or waits for the mail server: see the pending activity for the last failure.',
    since,
    next: 'Another attempt within five minutes; a day after the first one it is given up.',
    updates: ['retryNow', 'giveUp'],
  });
}
