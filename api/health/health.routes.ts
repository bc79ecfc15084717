import { setTimeout as pause } from 'node:timers/promises';
import type { Deps } from '../../runtime/process/deps';
import type { RedisLink } from '../../runtime/connections/redis';
import { queryOne, type Db } from '../../entities/database/sql';
import { routesOf, type Route } from '../http/contract/route';
import { open } from '../http/contract/credential';
import { HealthDto, ReadinessDto } from './health.dto';
import { exampleOf } from '../http/contract/example';

const route = routesOf('Health');

/** Liveness, and readiness with each dependency's state (docs/reference/running.md, Probes). */
export const healthRoutes: Route[] = [
  route.get(
    '/api/v1/health',
    {
      name: 'getHealth',
      summary: 'Whether the API is running',
      description: 'Answers as long as the process lives; it asks nothing of the database.',
      auth: open(null),
      httpAllowed: true,
      responses: { 200: { type: HealthDto } },
    },
    (ctx) => {
      ctx.body = { status: 'ok' } satisfies HealthDto;
    },
  ),

  route.get(
    '/api/v1/health/ready',
    {
      name: 'getReadiness',
      summary: 'Whether the API can serve',
      description:
        'Database and cache must be reachable. Temporal is reported, but its absence does not make the API unready: clicks, conversions and decisions go on without it.',
      auth: open(null),
      httpAllowed: true,
      responses: {
        200: { type: ReadinessDto },
        503: {
          type: ReadinessDto,
          example: exampleOf(ReadinessDto, { status: 'not_ready' }),
          description: 'Something is away or the process is stopping.',
        },
      },
    },
    async (ctx) => {
      const readiness = await checkReadiness(ctx.deps);
      ctx.status = readiness.status === 'ready' ? 200 : 503;
      if (ctx.status === 503) ctx.set('Retry-After', '2');
      ctx.body = readiness;
    },
  ),
];

const checkMs = 2_000;

async function checkReadiness(deps: Deps): Promise<ReadinessDto> {
  const [database, cache, temporal] = await Promise.all([
    isUp(checkWritable(deps.db.manager)),
    isUp(pingCache(deps.redis)),
    isUp(deps.temporal.within(checkMs, () => deps.temporal.connection.healthService.check({}))),
  ]);
  const ready = database === 'up' && cache === 'up' && !deps.lifecycle.stopping;
  return { status: ready ? 'ready' : 'not_ready', dependencies: { database, cache, temporal } };
}

/** Throws for a standby: after a fail-over a connection may lead to what is one now. */
async function checkWritable(db: Db): Promise<void> {
  const row = await queryOne<{ standby: boolean }>(db, 'SELECT pg_is_in_recovery() AS standby');
  if (row?.standby !== false) throw new Error('the database is a standby');
}

/** Commands have 50 ms; one late answer of a busy moment is no outage. */
async function pingCache(redis: RedisLink, tries = 5): Promise<unknown> {
  try {
    return await redis.client.ping();
  } catch (error) {
    if (tries === 1) throw error;
    await pause(100);
    return pingCache(redis, tries - 1);
  }
}

async function isUp(check: Promise<unknown>): Promise<'up' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), checkMs);
  });
  const up = check.then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return Promise.race([up, late]).finally(() => clearTimeout(timer));
}
