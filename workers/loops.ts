import type { Config } from '../runtime/config/config';

/**
 * The loops that a worker runs beside its task queues. `dispatcher` alone posts to addresses that strangers chose, so that
 * a wall can stand before it; `webhooks` serves the queue of the clocks of retries.
 */
export function loopsOf(queues: Config['workerQueues']) {
  const serves = (role: string): boolean => queues === 'all' || queues.includes(role);
  return {
    relay: serves('relay'),
    dispatcher: serves('dispatcher'),
    schedules: serves('maintenance'),
  };
}
