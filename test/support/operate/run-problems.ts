import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';

/** No workflow task fails for longer after the last worker of the other release is gone. */
const failingMs = 60_000;
/** All have ended by then, beside others that use the machine too; a mail waits for 30 seconds where its server was away. */
const openMs = 240_000;

/**
 * Waits for the runs to end, and has an operator hurry those that would wait for minutes: those that fail
 * or stay open, with what they say of it.
 */
export async function problemsOf(
  runs: readonly WorkflowHandle[],
  goneAt: number,
): Promise<string[]> {
  let open = [...runs];
  const problems: string[] = [];
  for (let looks = 0; ; looks += 1) {
    const seen = await Promise.all(open.map(async (run) => ({ run, ...(await run.describe()) })));
    const isLate = Date.now() > goneAt + failingMs;
    for (const { run, status, raw } of seen) {
      const { name } = status;
      const isRetried = isLate && (raw.pendingWorkflowTask?.attempt ?? 0) > 1;
      const failure = isRetried ? await taskFailure(run) : undefined;
      if (name === 'RUNNING' && failure === undefined) continue;
      open = open.filter((one) => one !== run);
      if (failure !== undefined) problems.push(`${run.workflowId} fails: ${failure}`);
      else if (name !== 'COMPLETED') problems.push(`${run.workflowId}: ${name}`);
    }
    if (open.length === 0 || Date.now() > goneAt + openMs) break;
    if (looks % looksPerHurry === 0) open.filter(isHurried).forEach((run) => void hurry(run));
    await pause(1_000);
  }
  for (const run of open) problems.push(`${run.workflowId} is open: ${await lastProblem(run)}`);
  return problems;
}

/** What would otherwise be tried again after minutes. */
const isHurried = ({ workflowId }: WorkflowHandle): boolean =>
  /^(mail|erasure|stripe-event|webhook-retries)\//.test(workflowId);
/** An attempt must have time to end before it is asked for again. */
const looksPerHurry = 12;

/** Has a run retry now, as an operator does. It may have ended just now. */
async function hurry(run: WorkflowHandle): Promise<void> {
  const note = { operator: 'op-upgrade', reasonCode: 'SYSTEM_FAULT' };
  await run.executeUpdate('retryNow', { args: [note] }).catch(() => undefined);
}

/** The failure of the run's last task; one that only ran out of time, on a busy machine, has none. */
async function taskFailure(run: WorkflowHandle): Promise<string | undefined> {
  const { events } = await run.fetchHistory();
  const last = events?.findLast(
    (event) =>
      event.workflowTaskFailedEventAttributes ??
      event.workflowTaskTimedOutEventAttributes ??
      event.workflowTaskCompletedEventAttributes,
  );
  const failed = last?.workflowTaskFailedEventAttributes;
  return failed ? (failed.failure?.message ?? 'without a message') : undefined;
}

/** The reason why an open run does not go on. */
async function lastProblem(run: WorkflowHandle): Promise<string> {
  const { raw } = await run.describe();
  const attempts = (raw.pendingActivities ?? []).map(
    (one) => `${one.activityType?.name}: ${one.lastFailure?.message ?? 'no failure'}`,
  );
  const failure = await taskFailure(run);
  return [...(failure === undefined ? [] : [failure]), ...attempts].join('; ') || 'it waits';
}
