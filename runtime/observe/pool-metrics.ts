import type { Database } from '../../entities/database/database';
import { gauge, histogram, type Registry } from './metrics';

/** How many connections the process has, and how long work waits for one. */
export function watchPool(db: Database, metrics: Registry): void {
  const { pool } = db;
  const connections = gauge(metrics, {
    name: 'db_pool',
    help: 'Connections of the process by state',
    labels: ['state'],
  });
  Object.assign(connections, {
    collect() {
      connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  const help = 'How long work waited for a connection';
  const waits = histogram(metrics, { name: 'db_acquire_seconds', help });
  db.timeWaits((seconds) => waits.observe(seconds));
}
