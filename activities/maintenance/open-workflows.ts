import { rowsAtOnce } from '../../entities/database/sql';
import type { Pace } from '../../runtime/load/pace';
import type { Deps } from '../../runtime/process/deps';
import { minuteMs } from '../../entities/rules/values/duration';

/** Visibility answers for this many ids at a time. */
const idsPerLookup = 100;

/** What still has no workflow after this time gets one again. */
export const lostAfterMs = 10 * minuteMs;

export function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}

/** What a batch of a repair found and did. */
export interface RepairBatch {
  /** Where the next batch goes on; null for the beginning. */
  cursor: string | null;
  repaired: number;
  /** Go on at once: there is more of what this batch found. */
  more: boolean;
}

/** The id after which the next batch of `rowsAtOnce` goes on; null when this one was the last. */
export function idAfter(rows: readonly { id: string }[]): string | null {
  return rows.length < rowsAtOnce ? null : (rows.at(-1)?.id ?? null);
}

/** The rows whose workflow has no open run. */
export async function withoutWorkflow<T>(
  { temporal }: Pick<Deps, 'temporal'>,
  { rows, workflowIdOf }: { rows: readonly T[]; workflowIdOf: (row: T) => string },
  /** The pace of the list calls. */
  pace?: Pace,
): Promise<T[]> {
  const lost = new Set(rows.map(workflowIdOf));
  const names = [...lost].map((id) => `'${id}'`);
  for (let start = 0; start < names.length; start += idsPerLookup) {
    await pace?.turn();
    const some = names.slice(start, start + idsPerLookup).join(', ');
    const query = `ExecutionStatus = 'Running' AND WorkflowId IN (${some})`;
    const open = temporal.client.workflow.list({ query });
    for await (const { workflowId } of open) lost.delete(workflowId);
  }
  return rows.filter((row) => lost.has(workflowIdOf(row)));
}
