import { counter, gauge, type Registry } from '../observe/metrics';

/** Why a process went on without Redis: it did not ask, had no answer in time, or got an error. */
type Reason = 'unasked' | 'late' | 'failed';

/** Whether Redis is asked at all, and how often the process goes on without it. */
export function watchRedis(metrics: Registry, isAvailable: () => boolean) {
  const available = gauge(metrics, {
    name: 'redis_available',
    help: '1 while the process asks Redis, 0 while that is away or has just failed',
  });
  Object.assign(available, { collect: () => available.set(isAvailable() ? 1 : 0) });
  const fallbacks = counter(metrics, {
    name: 'redis_fallback_total',
    help: 'Trips to Redis, each of one request or more, that the process went on without',
    labels: ['reason'],
  });
  const count = (reason: Reason): void => fallbacks.inc({ reason });
  return {
    unasked: () => count('unasked'),
    failed: (error: unknown) => count(isTimeOut(error) ? 'late' : 'failed'),
  };
}

/** The library has no class for it. */
function isTimeOut(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}
