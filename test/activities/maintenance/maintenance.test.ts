import { createMaintenanceActivities } from '../../../activities/maintenance/activities';
import { execute, query } from '../../../entities/database/sql';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildCommission } from '../../support/build/commissions';

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());

const day = 24 * 3_600_000;
const work = (): Promise<{ ref: string }[]> =>
  query(deps.db.manager, `SELECT ref FROM outbox WHERE topic = 'commission'`);

describe('the sweep of commissions', () => {
  it('wakes pending ones without a workflow, once, after giving the relay a minute', async () => {
    const { sweepCommissions } = createMaintenanceActivities(deps);
    const commission = await buildCommission(deps.db.manager);
    const decided = await buildCommission(deps.db.manager, { status: 'approved' });
    await execute(deps.db.manager, 'DELETE FROM outbox');

    await sweepCommissions({ cursor: null });
    expect(await work()).toEqual([]);

    deps.clock.advance(2 * 60_000);
    const swept = await sweepCommissions({ cursor: null });
    expect(swept).toEqual({ cursor: null, woken: 1 });
    await sweepCommissions({ cursor: null });
    expect(await work()).toEqual([{ ref: commission.id }]);
    expect(decided.status).toBe('approved');
  });

  it('wakes those whose hold is over at once', async () => {
    const { sweepCommissions } = createMaintenanceActivities(deps);
    await execute(deps.db.manager, 'DELETE FROM outbox');
    deps.clock.advance(31 * day);
    expect(await sweepCommissions({ cursor: null })).toEqual({ cursor: null, woken: 1 });
  });
});

describe('retention', () => {
  it('deletes answers of Idempotency-Key after a day, in batches, until nothing is left', async () => {
    const { purgeBatch } = createMaintenanceActivities(deps);
    await execute(
      deps.db.manager,
      `INSERT INTO idempotency_keys (principal_id, mode, path, key, body_hash, claim_token,
         claimed_at, created_at)
       SELECT gen_random_uuid(), 'test', '/x', 'k', 'h', gen_random_uuid(), at, at
       FROM unnest($1::timestamptz[]) AS at`,
      [[deps.clock.now(), new Date(deps.clock.now().getTime() - 2 * day)]],
    );
    expect(await purgeBatch()).toBe(1);
    expect(await purgeBatch()).toBe(0);
  });
});
