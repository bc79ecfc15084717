import { setTimeout as pause } from 'node:timers/promises';
import type { Work } from '../../activities/journal/outbox-claims';
import { createDutyCycle, type DutyCycle } from '../../runtime/load/duty-cycle';
import { inParallel } from '../../runtime/load/in-parallel';
import type { Deps } from '../../runtime/process/deps';
import { followUpPayment, type FollowUp } from '../../activities/stripe/payments/follow-up';
import { hasMetLock } from '../../entities/database/errors';
import type { LockWait } from '../../entities/database/sql';
import { processorActor } from '../../entities/rules/values/actor';
import type { Report, TopicHandler } from './carry-work';

/** Side by side, of ten connections; the rest of the process needs the others. */
const atOnce = 2;
const mostAtOnce = 50;

/** On a crowded machine; who waits for renewals of last month can wait a little longer. */
const rests = { most: 3, longestMs: 100 };

/**
 * Looks at payments of Stripe's again; one that fails or whose rows are locked holds up none of the
 * others. A workspace that has met a lock hardly waits for the next ones. Between payments it rests
 * while others need the machine: one first payment may bring hundreds of renewals.
 */
export function followUpHandler(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'lifecycle'>,
  duty: DutyCycle = createDutyCycle(rests),
): TopicHandler {
  return {
    claimSize: mostAtOnce,
    async handle(work, report) {
      const following: Following = { deps, report, heldUp: new Set(), done: [] };
      let left = work.length;
      await inParallel(work, { atOnce }, async (item) => {
        const began = performance.now();
        left -= 1;
        const hasWorked = await carry(following, item);
        // A wait for a lock has cost others nothing.
        if (!hasWorked || left === 0 || deps.lifecycle.stopping) return;
        const restMs = duty.restAfter(performance.now() - began);
        if (restMs > 0) await pause(restMs);
      });
      return following.done;
    },
  };
}

interface Following {
  deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  report: Report;
  heldUp: Set<string>;
  done: number[];
}

/** False when a lock was in the way. */
async function carry({ deps, report, heldUp, done }: Following, item: Work): Promise<boolean> {
  try {
    await followUp(deps, item, heldUp.has(item.workspaceId) ? 'shared' : 'own');
    done.push(item.id);
  } catch (error) {
    if (hasMetLock(error)) {
      heldUp.add(item.workspaceId);
      report.putOff(item.id);
      return false;
    }
    deps.log.warn({ err: error, payment: item.ref }, 'a payment could not be followed up');
    report.refused(item.id, error);
  }
  return true;
}

function followUp(
  { db, clock }: Following['deps'],
  { ref, payload }: Work,
  wait: LockWait,
): Promise<void> {
  const work = { ...(payload as Omit<FollowUp, 'paymentId'>), paymentId: ref, wait };
  return followUpPayment(db.manager, { actor: processorActor, now: clock.now() }, work);
}
