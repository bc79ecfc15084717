import { readLedger } from '../../activities/erasure/replay';
import { auditLinesSince, databaseNow, noteShipped } from '../../activities/restore/ship';
import { withDatabase } from '../../entities/database/database';
import type { Db } from '../../entities/database/sql';
import { dayMs, minuteMs } from '../../entities/rules/values/duration';
import { loadConfig } from '../../runtime/config/config';
import type { Command } from './run-command';
import {
  auditMomentsIn,
  ledgerLinesIn,
  removeAudit,
  writeAudit,
  writeLedger,
} from './shipped-files';

const usage = `Writes into a folder outside of the database what a restore of it needs, ids and codes only:
  aps ship erasures <folder>   each hour: the ledger of erasures, added to <folder>/erasures.jsonl
  aps ship audit <folder>      each ten minutes: the audit lines since the last file, as <folder>/audit-<moment>.jsonl
Audit files go after 35 days. For aps restored put them together: cat <folder>/audit-*.jsonl > audit.jsonl`;

/** How long before the last file a transaction may have begun that was committed after it. */
const overlapMs = 5 * minuteMs;
const keptMs = 35 * dayMs;

const kinds: Readonly<Record<string, (db: Db, folder: string) => Promise<string>>> = {
  erasures: shipErasures,
  audit: shipAudit,
};

async function main([kind = '', folder, ...rest]: readonly string[]): Promise<string> {
  const ship = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!ship || !folder || rest.length > 0) throw new Error(usage);
  const { databaseUrl: url, databasePooler: pooler } = loadConfig();
  const options = { url, pooler, poolSize: 1, applicationName: 'ship' };
  return withDatabase(options, ({ manager }) => ship(manager, folder));
}

/** What the file has stays: a database that went back to an earlier moment has lost it. */
async function shipErasures(db: Db, folder: string): Promise<string> {
  const own = (await readLedger(db)).map((line) => JSON.stringify(line));
  const count = await writeLedger(folder, new Set([...ledgerLinesIn(folder), ...own]));
  await noteShipped(db, 'erasures');
  return `${count} erasures.`;
}

/** A folder without files gets the lines of a day. */
async function shipAudit(db: Db, folder: string): Promise<string> {
  const now = await databaseNow(db);
  const moments = auditMomentsIn(folder);
  const last = moments.at(-1);
  const since = last ? new Date(last.getTime() - overlapMs) : new Date(now.getTime() - dayMs);
  const count = await writeAudit(folder, now, auditLinesSince(db, since));
  for (const moment of moments) {
    if (moment.getTime() < now.getTime() - keptMs) removeAudit(folder, moment);
  }
  await noteShipped(db, 'audit');
  return `${count} lines since ${since.toISOString()}.`;
}

export const command: Command = { usage, run: main };
