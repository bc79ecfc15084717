import { TestDataReset } from '../../entities/tables/test-data/test-data-reset.entity';
import { findById } from '../../entities/database/find';
import { setTimeout as pause } from 'node:timers/promises';
import { commandContextOf } from '../../activities/journal/cause';
import { findLastReset, startReset } from '../../activities/test-data/resets';
import type { Db } from '../../entities/database/sql';
import { routesOf, type Route } from '../http/contract/route';
import { merchant } from '../http/contract/credential';
import { presentReset, ResetDoneDto, ResetDto, ResetQueuedDto } from './reset.dto';

const route = routesOf('Test mode');
/** The reset of a workspace's test data. */
export const resetRoutes: Route[] = [
  route.delete(
    '/api/v1/workspace/test-data',
    {
      name: 'resetTestData',
      summary: 'Delete all test data of the workspace',
      description:
        'Programmes of test mode and all that belongs to them: partners, codes, clicks, conversions, commissions, payouts, events, deliveries, mails. Live data, keys, accounts, webhook endpoints and the connection to Stripe stay. Transaction ids and codes are free again. X-Mode is ignored. What takes longer than five seconds goes on in the background. Programmes that are created meanwhile stay.',
      auth: merchant('admin', { ignoreMode: true }),
      responses: {
        200: { type: ResetDoneDto },
        202: { type: ResetQueuedDto },
      },
      errors: ['RESET_IN_PROGRESS'],
    },
    async (ctx) => {
      const until = performance.now() + 4_900;
      const id = await startReset(ctx.deps, commandContextOf(ctx));
      const reset = await untilFinished(ctx.db, id, until);
      ctx.status = reset?.status === 'completed' ? 200 : 202;
      ctx.body =
        reset?.status === 'completed'
          ? ({ status: 'completed', deleted: reset.deleted } satisfies ResetDoneDto)
          : ({ status: 'queued', resetId: id } satisfies ResetQueuedDto);
    },
  ),

  route.get(
    '/api/v1/workspace/test-data/reset',
    {
      name: 'getTestDataReset',
      summary: 'How far the last reset of test data has come',
      description: 'Its status and what is deleted so far.',
      auth: merchant('viewer', { ignoreMode: true }),
      responses: {
        200: { type: ResetDto },
      },
    },
    async (ctx) => {
      ctx.body = presentReset(await findLastReset(ctx.db, ctx.scope.workspaceId));
    },
  ),
];

/** The reset as it is when it ends, or when the time is up. */
async function untilFinished(
  db: Db,
  id: string,
  until: number,
): Promise<TestDataReset | undefined> {
  for (;;) {
    const reset = await findById(db, TestDataReset, id);
    const isOpen = reset?.status === 'queued' || reset?.status === 'running';
    if (!isOpen || performance.now() > until) return reset;
    await pause(50);
  }
}
