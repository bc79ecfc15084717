import { join } from 'node:path';
import type {
  Client,
  WorkflowHandle,
  WorkflowHandleWithFirstExecutionRunId,
} from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { versionUnderWay } from '../stack/releases';
import { keepHistory } from './kept-histories';

/** Has a folder for each release, by its version. */
export const historiesDir = join(__dirname, '../../replay/histories');

/**
 * The history of a run as text, its payloads in plain after it, to look for what must not be there.
 * With RECORD_HISTORIES set it is kept under this name for the replay test, among those of the release
 * that is under way.
 */
export async function saveHistory(handle: WorkflowHandle, name: string): Promise<string> {
  const history = historyToJSON(await handle.fetchHistory());
  if (process.env['RECORD_HISTORIES']) {
    keepHistory(join(historiesDir, versionUnderWay), name, `${anonymous(history)}\n`);
  }
  const payloads = history.match(/"data": "[^"]*"/g) ?? [];
  const texts = payloads.map((one) => Buffer.from(one.slice(9, -1), 'base64').toString());
  return history + texts.join('\n');
}

/** The first run of a workflow that went on as new; `handle` is that of its start. */
export const firstRunOf = (
  client: Client,
  handle: WorkflowHandleWithFirstExecutionRunId,
): WorkflowHandle => client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId);

/** What the next run is told, when this one went on as new. */
export async function carriedOn(run: WorkflowHandle): Promise<unknown> {
  const { events } = await run.fetchHistory();
  const carried = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.input;
  const [payload] = carried?.payloads ?? [];
  if (!payload) throw new Error('the run did not go on as new');
  return JSON.parse(Buffer.from(payload.data ?? []).toString());
}

/** The history without the names of the machine that recorded it. */
function anonymous(history: string): string {
  const seen = JSON.parse(history, (key, value: unknown) => {
    if (key === 'identity') return 'recorder';
    if (key === 'stackTrace') return '';
    if (key === 'name' && typeof value === 'string' && /^\d+@/.test(value)) return 'sticky';
    return value;
  }) as object;
  return JSON.stringify(seen);
}
