import type { Work } from '../../activities/journal/outbox-claims';
import { isLocked } from '../../entities/database/errors';
import { inParallel } from '../../runtime/load/in-parallel';
import type { Deps } from '../../runtime/process/deps';
import type { ClaimReport, TopicHandler } from './process-claim';

/**
 * Work in the database, a transaction for each row: one that fails or whose rows are locked holds up none
 * of the others.
 */
export function eachForItself(
  { log }: Pick<Deps, 'log'>,
  run: (work: Work) => Promise<void>,
): TopicHandler {
  const end = async (work: Work, report: ClaimReport): Promise<boolean> => {
    try {
      await run(work);
      return true;
    } catch (error) {
      if (isLocked(error)) {
        report.defer(work.id);
        return false;
      }
      const { ref, requestId } = work;
      log.warn({ err: error, ref, requestId }, 'a row of the outbox could not be done');
      report.refused(work.id, error);
      return false;
    }
  };
  return {
    claimSize: 50,
    async handle(work, report) {
      const done: number[] = [];
      // Two of ten connections; the rest of the process needs the others.
      await inParallel(work, { atOnce: 2 }, async (item) => {
        if (await end(item, report)) done.push(item.id);
      });
      return done;
    },
  };
}
