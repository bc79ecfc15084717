import { watchPool } from '../../../runtime/observe/pool-metrics';
import { Registry } from '../../../runtime/observe/metrics';
import { eventually } from '../../support/eventually';
import { useDatabase } from '../../support/data-source';

const database = useDatabase(2);

it('shows connections by state, and how long work waits for one', async () => {
  const metrics = new Registry();
  watchPool(database.source, metrics);
  const work = [1, 2, 3].map(() => database.source.query('SELECT pg_sleep(1)'));
  await eventually(async () => {
    const text = await metrics.metrics();
    return text.includes('db_pool{state="waiting"} 1') || undefined;
  });
  await Promise.all(work);
  const after = await metrics.metrics();
  expect(after).toContain('db_pool{state="idle"} 2');
  expect(after).toContain('db_pool{state="busy"} 0');
  expect(after).toContain('db_acquire_seconds_count 3');
});
