import type { Work } from '../activities/journal/outbox-claims';
import { inParallel } from '../activities/runtime/batching/in-parallel';
import type { Deps } from '../activities/runtime/process/deps';
import { followUpPayment, type FollowUp } from '../activities/stripe/payments/follow-up';
import { hasMetLock } from '../entities/database/errors';
import type { LockWait } from '../entities/database/sql';
import { processorActor } from '../entities/rules/values/actor';
import type { TopicHandler } from './carry-work';

/** Side by side, of ten connections; the rest of the process needs the others. */
const atOnce = 2;
const mostAtOnce = 50;

/**
 * Looks at payments of Stripe's again; one that fails or whose rows are locked holds up none of the
 * others. A workspace that has met a lock hardly waits for the next ones.
 */
export function followUpHandler(deps: Pick<Deps, 'db' | 'clock' | 'log'>): TopicHandler {
  const followUp = ({ ref, payload }: Work, wait: LockWait): Promise<void> => {
    const work = { ...(payload as Omit<FollowUp, 'paymentId'>), paymentId: ref, wait };
    const cause = { actor: processorActor, now: deps.clock.now() };
    return followUpPayment(deps.db.manager, cause, work);
  };
  return {
    batch: () => mostAtOnce,
    async handle(work, report) {
      const done: number[] = [];
      const heldUp = new Set<string>();
      await inParallel(work, { atOnce }, async (item) => {
        try {
          await followUp(item, heldUp.has(item.workspaceId) ? 'shared' : 'own');
          done.push(item.id);
        } catch (error) {
          if (hasMetLock(error)) {
            heldUp.add(item.workspaceId);
            report.putOff(item.id);
            return;
          }
          deps.log.warn({ err: error, payment: item.ref }, 'a payment could not be followed up');
          report.refused(item.id, error);
        }
      });
      return done;
    },
  };
}
