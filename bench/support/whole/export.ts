import { get } from 'node:http';
import { foldCommissionCounts } from '../../../activities/commissions/day-counts';
import { seedCommissions, seedProgram, settledStatuses } from '../commission-world';
import { copyOut } from '../copy-out';
import { withCpuOf, type Cpu } from './cpu';
import type { Setting } from './webhooks';

export interface Export {
  rows: number;
  megabytes: number;
  seconds: number;
  /** Seconds of COPY TO: the mean of one before and one after. */
  copySeconds: number;
  /** The CPU for a thousand rows. */
  cpu: Cpu;
}

/** The export of a programme of that many commissions, beside COPY TO of the same statement. */
export async function exportAll(setting: Setting, count: number): Promise<Export> {
  const { stack, sink } = setting;
  const { db, info } = stack;
  const [own] = await db.query<{ workspace_id: string }[]>(
    'SELECT workspace_id FROM programs WHERE id = $1',
    [stack.demo.programId],
  );
  const world = await seedProgram(db, own?.workspace_id ?? '', 200);
  await seedCommissions(db, world, { count, statuses: settledStatuses });
  await foldCommissionCounts(db);
  // What was seeded is on its way to the disk still, which is no part of either.
  await db.query('CHECKPOINT');

  const before = await copyOut(info.databaseUrl, world, count);
  const { result, cpu } = await withCpuOf({ stack, sink, requests: count / 1_000 }, () =>
    readExport(setting, world.programId),
  );
  const after = await copyOut(info.databaseUrl, world, count);
  return { ...result, copySeconds: (before + after) / 2, cpu };
}

/** A row is a line: no cell of these has a line break. */
function readExport({ stack, token }: Setting, programId: string) {
  const url = `${stack.info.apiUrl}/api/v1/programs/${programId}/commissions/export`;
  const started = performance.now();
  return new Promise<Pick<Export, 'rows' | 'megabytes' | 'seconds'>>((resolve, reject) => {
    get(url, { headers: { Authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`export: ${response.statusCode}`));
      let bytes = 0;
      let lines = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      });
      response.once('error', reject);
      response.once('end', () => {
        const seconds = (performance.now() - started) / 1_000;
        resolve({ rows: lines - 1, megabytes: bytes / 1e6, seconds });
      });
    }).once('error', reject);
  });
}
