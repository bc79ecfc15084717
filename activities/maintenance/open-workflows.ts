import type { Pace } from '../../runtime/load/pace';
import type { Deps } from '../../runtime/process/deps';
import { minuteMs } from '../../entities/rules/values/duration';

/** Visibility answers for this many ids at a time. */
const idsPerLookup = 100;

/** What still has no workflow after this time gets one again. */
export const lostAfterMs = 10 * minuteMs;

/** Those of the workflow ids of which no run is open. */
export async function withoutWorkflow(
  { temporal }: Pick<Deps, 'temporal'>,
  workflowIds: readonly string[],
  /** Of the list calls. */
  pace?: Pace,
): Promise<Set<string>> {
  const lost = new Set(workflowIds);
  for (let start = 0; start < workflowIds.length; start += idsPerLookup) {
    const names = workflowIds.slice(start, start + idsPerLookup).map((id) => `'${id}'`);
    await pace?.turn();
    const open = temporal.client.workflow.list({
      query: `ExecutionStatus = 'Running' AND WorkflowId IN (${names.join(', ')})`,
    });
    for await (const { workflowId } of open) lost.delete(workflowId);
  }
  return lost;
}
