import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { keepHistory } from './kept-histories';

export const historiesDir = join(__dirname, '../../replay/histories');

/**
 * The history of a run as text, its payloads in plain after it, to look for what must not be there.
 * With RECORD_HISTORIES set it is kept under this name for the replay test: once for each case of a
 * workflow type and version. What is there is never written again, for running workflows have it, and
 * the list of their hashes keeps it so: a case whose history changes gets a new name.
 */
export async function saveHistory(handle: WorkflowHandle, name: string): Promise<string> {
  const history = historyToJSON(await handle.fetchHistory());
  if (process.env['RECORD_HISTORIES']) keepHistory(historiesDir, name, `${anonymous(history)}\n`);
  const payloads = history.match(/"data": "[^"]*"/g) ?? [];
  const texts = payloads.map((one) => Buffer.from(one.slice(9, -1), 'base64').toString());
  return history + texts.join('\n');
}

/** Without the names of the machine that recorded it. */
function anonymous(history: string): string {
  const seen = JSON.parse(history, (key, value: unknown) => {
    if (key === 'identity') return 'recorder';
    if (key === 'stackTrace') return '';
    if (key === 'name' && typeof value === 'string' && /^\d+@/.test(value)) return 'sticky';
    return value;
  }) as object;
  return JSON.stringify(seen, null, 2);
}
