import { findLostLifecycles } from '../../../activities/maintenance/lifecycles';
import { createPace } from '../../../runtime/load/pace';
import type { Deps } from '../../../runtime/process/deps';
import { execute, query } from '../../../entities/database/sql';
import { workflowIds } from '../../../runtime/temporal/messages';
import { useDeps } from '../../support/app';
import { asOwner } from '../../support/database';
import { copyCommission, copyId } from '../../support/build/many-commissions';

const pending = 6_400;
const perBatch = 500;

const deps = useDeps();
beforeAll(async () => {
  const createdAt = new Date(Date.now() - 10 * 60_000);
  const id = await copyCommission(deps, { count: pending, createdAt });
  const alone = `SET session_replication_role = replica; DELETE FROM commissions WHERE id = '${id}'`;
  await asOwner(deps.config.databaseUrl, alone);
  await execute(deps.db.manager, 'DELETE FROM outbox');
}, 60_000);
afterEach(() => jest.restoreAllMocks());

/** One run's batch of the repair, while each commission but these has its open workflow. */
async function repair(lost: string[], cursor: string | null, pace = createPace(0)) {
  const without = new Set(lost.map((id) => workflowIds.commission(id)));
  const list = async function* ({ query: asked }: { query: string }) {
    const names = [...asked.matchAll(/'(commission\/[^']+)'/g)].map(([, name]) => name ?? '');
    yield* await Promise.resolve(
      names.filter((name) => !without.has(name)).map((workflowId) => ({ workflowId })),
    );
  };
  const temporal = { ...deps.temporal, client: { workflow: { list } } };
  return findLostLifecycles({ ...deps, temporal } as unknown as Deps, cursor, pace);
}

describe('a round over lifecycles', () => {
  it('takes many batches while none is lost', async () => {
    expect(await repair([], null)).toEqual({ cursor: null, woken: 0 });
  });

  it('stops at the batch in which one is lost', async () => {
    const lost = [copyId(1_000), copyId(5_000)];
    const first = await repair(lost, null);
    expect(first).toEqual({ cursor: copyId(2 * perBatch), woken: 1 });
    const work = await query(deps.db.manager, `SELECT ref FROM outbox WHERE topic = 'commission'`);
    expect(work).toEqual([{ ref: lost[0] }]);
    expect(await repair(lost, first.cursor)).toMatchObject({ woken: 1 });
  });

  it('ends in time when each batch takes long, and is gone on with at once', async () => {
    // Time passes with what is asked of Temporal: others of this process look at the clock too.
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const rest = (ms: number): Promise<number> => Promise.resolve((now += ms));
    const slow = createPace(1.6, { now: () => now, rest });
    expect(await repair([], null, slow)).toEqual({ cursor: copyId(2 * perBatch), woken: 0 });
  });

  it('asks Temporal three times a second', async () => {
    let now = 0;
    const pace = createPace(3, { now: () => now, rest: (ms) => Promise.resolve((now += ms)) });
    await repair([], null, pace);
    const calls = Math.ceil(pending / 100);
    expect(now / 1_000).toBeGreaterThan(calls / 3 - 1);
  });
});
