import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../session/api-error';
import { useMode, useSession } from '../../session/use-session';
import type { Mode, Session } from '../../session/session';
import type { Commission } from '../../session/records';
import { whyNot, type Action } from './why-not';

/** A commission that was not decided, and why. */
export interface Failure {
  id: string;
  message: string;
}

interface Decision {
  of: readonly Commission[];
  action: Action;
  reason: string | undefined;
  /** How many have their answer. */
  onProgress: (done: number) => void;
}

/** The most that the API takes at once. */
const batchSize = 100;

/** The session that decides, and the mode. */
interface By {
  session: Session;
  mode: Mode;
}

/** Programme by programme, in batches, as the API takes many; a hold is overridden one by one. */
export function useDecide(): (decision: Decision) => Promise<Failure[]> {
  const session = useSession();
  const mode = useMode();
  const queries = useQueryClient();
  const by = { session, mode };

  return async (decision) => {
    const { of, action, reason, onProgress } = decision;
    const isOverride = action === 'approve-override';
    const failures: Failure[] = [];
    let done = 0;
    try {
      for (const batch of batchesOf(of, isOverride ? 1 : batchSize)) {
        const failed = isOverride
          ? await override(by, batch, reason)
          : await decideBatch(by, batch, decision);
        failures.push(...failed);
        done += batch.length;
        onProgress(done);
      }
      return failures;
    } finally {
      await queries.invalidateQueries();
    }
  };
}

async function decideBatch(
  { session, mode }: By,
  of: readonly Commission[],
  { action, reason = '' }: Decision,
): Promise<Failure[]> {
  const commissionIds = of.map(({ id }) => id);
  const byId = new Map(of.map((one) => [one.id, one]));
  try {
    const fields = { programId: of[0]?.programId ?? '', commissionIds };
    const { results } =
      action === 'reject'
        ? await session.ask('commissions.bulkReject', { ...fields, reason }, mode)
        : await session.ask('commissions.bulkApprove', fields, mode);
    return results
      .filter(({ ok }) => !ok)
      .map(({ commissionId, message = '' }) => ({
        id: commissionId,
        message: whyNot(action, byId.get(commissionId)) ?? message,
      }));
  } catch (error) {
    // None of the batch could be decided: the others go on.
    if (!(error instanceof ApiError) || error.status !== 422) throw error;
    return of.map((one) => ({ id: one.id, message: whyNot(action, one) ?? error.message }));
  }
}

async function override(
  { session, mode }: By,
  of: readonly Commission[],
  reason = '',
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const one of of) {
    const { id, programId } = one;
    const fields = { programId, commissionId: id, reason };
    try {
      await session.ask('commissions.approveOverride', fields, mode);
    } catch (error) {
      // What concerns this one alone does not keep the others from being decided.
      if (!(error instanceof ApiError) || ![403, 404, 409].includes(error.status)) throw error;
      failures.push({ id, message: whyNot('approve-override', one) ?? error.message });
    }
  }
  return failures;
}

/** Each of one programme. */
function batchesOf(of: readonly Commission[], size: number): Commission[][] {
  const programs = [...new Set(of.map(({ programId }) => programId))];
  return programs.flatMap((programId) => {
    const own = of.filter((one) => one.programId === programId);
    const starts = Array.from({ length: Math.ceil(own.length / size) }, (_, at) => at * size);
    return starts.map((start) => own.slice(start, start + size));
  });
}
