import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { gauge, histogram, type Registry } from './metrics';

type Connected = (error: Error | undefined, client?: PoolClient, done?: () => void) => void;

/** How many connections the process has, and how long work waits for one. */
export function watchPool(db: DataSource, metrics: Registry): void {
  const { master: pool } = db.driver as unknown as { master: Pool };
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
  timeConnect(pool, histogram(metrics, { name: 'db_acquire_seconds', help }));
}

/** TypeORM asks for connections with a callback. */
function timeConnect(pool: Pool, waits: ReturnType<typeof histogram>): void {
  const connect = pool.connect.bind(pool) as (connected: Connected) => void;
  const timed = (connected: Connected): void => {
    const end = waits.startTimer();
    connect((error, client, done) => {
      end();
      connected(error, client, done);
    });
  };
  Object.assign(pool, { connect: timed });
}
