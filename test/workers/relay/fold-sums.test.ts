import { query } from '../../../entities/database/sql';
import { startFolder } from '../../../workers/relay/fold-sums';
import { useDeps } from '../../support/app';
import { buildConversion } from '../../support/build/conversions';
import { buildCommission } from '../../support/build/commissions';
import { eventually } from '../../support/eventually';

const deps = useDeps();

function waiting(): Promise<unknown[]> {
  return query(
    deps.db.manager,
    `SELECT 'fact' FROM analytics_facts UNION ALL SELECT 'count' FROM commission_count_deltas`,
  );
}

it('one loop folds the facts of analytics and the counters of commissions', async () => {
  const commission = await buildCommission(deps.db.manager);
  await buildConversion(deps.db.manager);
  expect(new Set((await waiting()).map((row) => JSON.stringify(row))).size).toBe(2);

  const folder = startFolder(deps);
  await eventually(async () => ((await waiting()).length === 0 ? true : undefined));
  await folder.stop();

  const [counted] = await query<{ commissions: number }>(
    deps.db.manager,
    'SELECT sum(commissions)::int AS commissions FROM commission_day_counts WHERE program_id = $1',
    [commission.programId],
  );
  expect(counted).toEqual({ commissions: 1 });
});

it('folds the counters while analytics fail, and says so', async () => {
  const warn = jest.spyOn(deps.log, 'warn');
  await query(
    deps.db.manager,
    'UPDATE analytics_state SET folded_before = folded_before + 1000000',
  );
  await buildCommission(deps.db.manager);
  const folder = startFolder(deps);
  const counts = () => query(deps.db.manager, 'SELECT 1 FROM commission_count_deltas');
  await eventually(async () => ((await counts()).length === 0 ? true : undefined));
  await folder.stop();
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ kind: 'analytics' }),
    'what was appended could not be folded',
  );
});
