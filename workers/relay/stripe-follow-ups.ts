import type { Work } from '../../activities/journal/outbox-claims';
import { followUpPayment, type FollowUp } from '../../activities/stripe/payments/follow-up';
import { isLocked } from '../../entities/database/errors';
import { processorActor } from '../../entities/rules/values/actor';
import { inParallel } from '../../runtime/load/in-parallel';
import type { Deps } from '../../runtime/process/deps';
import type { ClaimReport, TopicHandler } from './process-claim';

type FollowUpDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'vault'>;

/**
 * Looks at payments of Stripe's again; one that fails or whose rows are locked holds up none of the
 * others.
 */
export function followUpHandler(deps: FollowUpDeps): TopicHandler {
  return {
    claimSize: 50,
    async handle(work, report) {
      const done: number[] = [];
      // Of ten connections; the rest of the process needs the others.
      await inParallel(work, { atOnce: 2 }, async (item) => {
        if (await followUp(deps, item, report)) done.push(item.id);
      });
      return done;
    },
  };
}

async function followUp(
  { db, clock, log, vault }: FollowUpDeps,
  { id, ref, payload, requestId }: Work,
  report: ClaimReport,
): Promise<boolean> {
  const work = { ...(payload as Omit<FollowUp, 'paymentId'>), paymentId: ref };
  try {
    await followUpPayment(
      { db: db.manager, vault },
      { actor: processorActor, now: clock.now() },
      work,
    );
    return true;
  } catch (error) {
    if (isLocked(error)) {
      report.defer(id);
      return false;
    }
    log.warn({ err: error, payment: ref, requestId }, 'a payment could not be followed up');
    report.refused(id, error);
    return false;
  }
}
