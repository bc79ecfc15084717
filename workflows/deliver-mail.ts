import {
  ActivityFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { MailStatus } from '../entities/rules/mail/mail';
import { database } from './activities';
import type { DeliverMailInput } from './messages';

/** A mail server that is away may take a day to come back; after that a mail has lost its point. */
const { sendMail } = proxyActivities<Pick<Activities, 'sendMail'>>({
  startToCloseTimeout: '60s',
  scheduleToCloseTimeout: '24h',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' },
});

/**
 * One mail: rendered, then sent, kept back or dropped, as its row and the preferences say. To cancel
 * it is to give the mail up: the row says so, and no repair sends it.
 */
export async function deliverMail({ mailId }: DeliverMailInput): Promise<MailStatus> {
  try {
    return (await sendMail({ mailId })).status;
  } catch (error) {
    if (!(error instanceof ActivityFailure) && !isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => database.giveUpMail({ mailId }));
    return 'failed';
  }
}
