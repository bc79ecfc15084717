import { createMaintenanceActivities } from '../../../activities/maintenance/activities';
import type { Deps } from '../../../runtime/process/deps';
import { execute, query } from '../../../entities/database/sql';
import { workflowIds } from '../../../workflows/messages';
import { openTestDeps, type TestDeps } from '../../support/app';
import { asOwner } from '../../support/database';
import { buildCommission } from '../../support/build/commissions';

const pending = 6_400;
const perBatch = 300;
const perRun = 20 * perBatch;

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
  await buildCommission(deps.db.manager, { createdAt: new Date(Date.now() - 10 * 60_000) });
  const columns = await query<{ name: string }>(
    deps.db.manager,
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_name = 'commissions' AND is_generated = 'NEVER'`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  // Whose they are is of no interest here.
  await asOwner(
    deps.config.databaseUrl,
    `SET session_replication_role = replica;
     INSERT INTO commissions (${names}) SELECT ${names}
       FROM generate_series(1, ${pending}) AS n CROSS JOIN LATERAL (SELECT (jsonb_populate_record(c,
         jsonb_build_object('id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'),
           'conversion_id', gen_random_uuid()))).* FROM commissions c) AS copy;
     DELETE FROM commissions WHERE id >= '00000001-0000-7000-8000-000000000000'`,
  );
  await execute(deps.db.manager, 'DELETE FROM outbox');
}, 60_000);
afterAll(() => deps.close());
afterEach(() => jest.restoreAllMocks());

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** One run's batch of the repair, while each commission but these has its open workflow. */
async function repair(lost: string[], cursor: string | null) {
  const without = new Set(lost.map((id) => workflowIds.commission(id)));
  const list = async function* ({ query: asked }: { query: string }) {
    const names = [...asked.matchAll(/'(commission\/[^']+)'/g)].map(([, name]) => name ?? '');
    yield* await Promise.resolve(
      names.filter((name) => !without.has(name)).map((workflowId) => ({ workflowId })),
    );
  };
  const temporal = { ...deps.temporal, client: { workflow: { list } } };
  const { repairBatch } = createMaintenanceActivities({ ...deps, temporal } as unknown as Deps);
  return repairBatch({ part: 'lifecycles', cursor });
}

describe('a round over lifecycles', () => {
  it('takes many batches while none is lost, and goes on where it was', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const first = await repair([], null);
    expect(first).toEqual({ cursor: idOf(perRun), repaired: 0, more: false });
    const rest = await repair([], first.cursor);
    expect(rest).toEqual({ cursor: null, repaired: 0, more: false });
  });

  it('stops at the batch in which one is lost, and says that there may be more', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const lost = [idOf(1_000), idOf(5_000)];
    const first = await repair(lost, null);
    expect(first).toEqual({ cursor: idOf(4 * perBatch), repaired: 1, more: true });
    const work = await query(deps.db.manager, `SELECT ref FROM outbox WHERE topic = 'commission'`);
    expect(work).toEqual([{ ref: lost[0] }]);
    expect(await repair(lost, first.cursor)).toMatchObject({ repaired: 1, more: true });
  });

  it('ends in time when each batch takes long', async () => {
    let looks = 0;
    // The first look is the beginning.
    jest.spyOn(performance, 'now').mockImplementation(() => 3_000 * looks++);
    expect(await repair([], null)).toEqual({
      cursor: idOf(2 * perBatch),
      repaired: 0,
      more: false,
    });
  });
});
