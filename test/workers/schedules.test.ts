import { setTimeout as pause } from 'node:timers/promises';
import { ScheduleNotFoundError } from '@temporalio/client';
import { schedules, startSchedules } from '../../workers/schedules';
import { openTestDeps, type TestDeps } from '../support/app';

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(async () => {
  for (const { id } of schedules) {
    await deps.temporal.client.schedule
      .getHandle(id)
      .delete()
      .catch(() => undefined);
    await deps.temporal.client.workflow
      .getHandle(id)
      .terminate()
      .catch(() => undefined);
  }
  await deps.close();
});

const exists = (id: string): Promise<boolean> =>
  deps.temporal.client.schedule
    .getHandle(id)
    .describe()
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof ScheduleNotFoundError) return false;
        throw error;
      },
    );

async function untilExists(id: string): Promise<void> {
  for (let turn = 0; turn < 300; turn += 1) {
    if (await exists(id)) return;
    await pause(50);
  }
  throw new Error(`there is no schedule ${id}`);
}

it('schedules come back by themselves when Temporal has lost them', async () => {
  const running = startSchedules(deps, { everyMs: 300 });
  await untilExists('retention');
  await deps.temporal.client.schedule.getHandle('retention').delete();
  await untilExists('retention');
  await running.stop();
  const text = await deps.metrics.metrics();
  for (const { id } of schedules) {
    expect(text).toMatch(new RegExp(`schedule_next_run_timestamp_seconds{schedule="${id}"`));
  }
}, 60_000);
