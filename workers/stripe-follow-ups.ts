import { setTimeout as pause } from 'node:timers/promises';
import type { Work } from '../activities/journal/outbox-claims';
import { createDutyCycle } from '../activities/runtime/batching/duty-cycle';
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

/** On a crowded machine; nobody waits for a renewal of last month. */
const rests = { most: 3, longestMs: 100 };

/**
 * Looks at payments of Stripe's again; one that fails or whose rows are locked holds up none of the
 * others. A workspace that has met a lock hardly waits for the next ones. Between payments it rests
 * while others need the machine: one first payment may bring hundreds of renewals.
 */
export function followUpHandler(deps: Pick<Deps, 'db' | 'clock' | 'log'>): TopicHandler {
  const followUp = ({ ref, payload }: Work, wait: LockWait): Promise<void> => {
    const work = { ...(payload as Omit<FollowUp, 'paymentId'>), paymentId: ref, wait };
    const cause = { actor: processorActor, now: deps.clock.now() };
    return followUpPayment(deps.db.manager, cause, work);
  };
  const duty = createDutyCycle(rests);
  return {
    batch: () => mostAtOnce,
    async handle(work, report) {
      let left = work.length;
      const done: number[] = [];
      const heldUp = new Set<string>();
      const carry = async (item: Work): Promise<void> => {
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
      };
      await inParallel(work, { atOnce }, async (item) => {
        const began = performance.now();
        await carry(item);
        left -= 1;
        const restMs = left > 0 ? duty.restAfter(performance.now() - began) : 0;
        if (restMs > 0) await pause(restMs);
      });
      return done;
    },
  };
}
