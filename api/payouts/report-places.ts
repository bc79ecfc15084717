import { AppError } from '../../entities/errors';
import { KeyedSemaphore } from '../../runtime/load/keyed-semaphore';

/** A report at a time of each account: of many at once each would be worked on in slices of its own. */
export function createReportPlaces(): KeyedSemaphore {
  return new KeyedSemaphore({
    permits: Infinity,
    permitsPerKey: 1,
    maxWaitingPerKey: 0,
    maxWaitMs: 0,
    refusal: () =>
      new AppError('RATE_LIMIT_EXCEEDED', {
        message: 'A report of this account is being read. Wait for its end.',
        headers: { 'Retry-After': '5' },
      }),
  });
}
