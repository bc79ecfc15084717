import { ScheduleNotFoundError } from '@temporalio/client';
import { repairName, scheduleNames } from '../../../activities/figures/upkeep';
import { schedules, secondsOf, startSchedules } from '../../../workers/temporal/schedules';
import { openTestDeps, type TestDeps } from '../../support/app';
import { eventually } from '../../support/eventually';

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
  await eventually(async () => (await exists(id)) || undefined);
}

it('an installation that does nothing makes at most 7,000 runs a day', () => {
  const day = 86_400;
  const runs = schedules.map(({ every }) => day / secondsOf(every));
  expect(runs.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(7_000);
  for (const { every } of schedules) expect(secondsOf(every)).toBeGreaterThanOrEqual(60);
});

it('a repair that is stuck is over, and the next one there, within a quarter of an hour', () => {
  // What is not promised for that time: a round over all there is, and what is done once a day.
  const lasting = ['lifecycles', 'stripe_connections', 'closings'].map(repairName);
  const late = schedules
    .filter(({ id, workflow }) => workflow === 'repair' && !lasting.includes(id))
    .filter(({ every, runTimeout }) => secondsOf(every) + secondsOf(runTimeout) > 900);
  expect(late).toEqual([]);
});

it('schedules come back by themselves when Temporal has lost them', async () => {
  const running = startSchedules(deps, { everyMs: 300 });
  await untilExists('retention');
  await deps.temporal.client.schedule.getHandle('retention').delete();
  await untilExists('retention');
  await running.stop();
  const text = await deps.metrics.metrics();
  expect(schedules.map(({ id }) => id)).toEqual(scheduleNames);
  for (const { id } of schedules) {
    expect(text).toMatch(new RegExp(`schedule_next_run_timestamp_seconds{schedule="${id}"`));
  }
}, 60_000);

/** The open run of a schedule that no worker serves. */
async function openRun(id: string): Promise<string> {
  return eventually(async () => {
    const { info } = await deps.temporal.client.schedule.getHandle(id).describe();
    const run = info.recentActions.at(-1)?.action.workflow;
    if (!run) return undefined;
    const { status } = await deps.temporal.client.workflow.getHandle(run.workflowId).describe();
    return status.name === 'RUNNING' ? run.workflowId : undefined;
  });
}

it('a run that was terminated runs again, and no other', async () => {
  const { workflow } = deps.temporal.client;
  const running = startSchedules(deps, { everyMs: 300 });
  const [nightly, hourly] = [await openRun('check-ledgers'), await openRun('retention')];
  await workflow.getHandle(nightly).terminate();
  await eventually(async () => (await openRun('check-ledgers')) !== nightly || undefined);
  expect(await openRun('retention')).toBe(hourly);
  await running.stop();
}, 60_000);

it('says once that Temporal is away, however often it is asked, and applies them when it is back', async () => {
  const { temporal, log } = deps;
  const warn = jest.fn();
  let [isAway, attempts, answers] = [true, 0, 0];
  const within: typeof temporal.within = async (ms, call) => {
    if (isAway) attempts += 1;
    else answers += 1;
    if (isAway) throw new Error('away');
    return temporal.within(ms, call);
  };
  const logging = Object.assign(Object.create(log) as typeof log, { warn });
  const faulty = { ...deps, temporal: { ...temporal, within }, log: logging };
  const failTwice = async (): Promise<void> => {
    const before = attempts;
    await eventually(() => Promise.resolve(attempts >= before + 2 || undefined));
  };

  await deps.temporal.client.schedule.getHandle('retention').delete();
  const running = startSchedules(faulty, { everyMs: 300 });
  await failTwice();
  expect(await exists('retention')).toBe(false);
  expect(warn).toHaveBeenCalledTimes(1);
  isAway = false;
  await untilExists('retention');

  // Another spell, once all of them were applied, is another line.
  await eventually(() => Promise.resolve(answers > schedules.length + 1 || undefined));
  isAway = true;
  await failTwice();
  isAway = false;
  await running.stop();
  const sentence = 'the schedules could not be applied; this is tried again';
  expect(warn.mock.calls).toEqual([
    [{ err: new Error('away') }, sentence],
    [{ err: new Error('away') }, sentence],
  ]);
}, 60_000);
