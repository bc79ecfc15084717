import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { LedgerLine } from '../../activities/erasure/replay';
import { changedSince } from '../../activities/restore/audit-lines';
import { releasePayouts } from '../../activities/restore/release-payouts';
import { afterRestore, type RestoreCommand } from '../../activities/restore/steps';
import { withDatabase, type Database } from '../../entities/database/database';
import { operatorActor } from '../../entities/rules/values/actor';
import { openTemporal } from '../../runtime/temporal/link';
import { createVault } from '../../runtime/crypto/vault';
import { loadConfig, type Config } from '../../runtime/config/config';
import { readErasureFile } from './erasure-file';
import type { Command, CommandResult } from './run-command';

const usage = `After Postgres went back to an earlier moment, while API and workers are stopped (docs/restore.md):
  aps restored --since 2026-01-31T09:30:00Z [--erasures erasures.jsonl] [--audit audit.jsonl]
And once what the banks paid since then is compared:
  aps restored --release-payouts`;

type Wish = 'release payouts' | RestoreCommand;

/** Files are read before anything is changed. */
function wishOf(args: string[]): Wish {
  const values = valuesOf(args);
  if (values['release-payouts'] === true && values.since === undefined) return 'release payouts';
  const since = new Date(values.since ?? '');
  const isUsable = !Number.isNaN(since.getTime()) && since.getTime() <= Date.now();
  if (!isUsable || values['release-payouts'] === true) throw new Error(usage);
  const erasures: LedgerLine[] | null =
    values.erasures === undefined ? null : readErasureFile(values.erasures);
  const { audit } = values;
  const changes = audit === undefined ? null : changedSince(readFileSync(audit, 'utf8'), since);
  return { since, erasures, changes };
}

function valuesOf(args: string[]) {
  const text = { type: 'string' } as const;
  const options = { since: text, erasures: text, audit: text } as const;
  try {
    const flags = { 'release-payouts': { type: 'boolean' } } as const;
    return parseArgs({ args, options: { ...options, ...flags } }).values;
  } catch {
    throw new Error(usage);
  }
}

/** Each step is printed when it is over. */
async function main(args: string[]): Promise<CommandResult | string> {
  const wish = wishOf(args);
  const config = loadConfig();
  const options = {
    url: config.databaseDirectUrl,
    poolSize: 2,
    applicationName: 'restored',
    statementTimeoutMs: 0,
    // Whatever the role has as its own: numbers and sums take longer than a request may.
    sessionOptions: '-c statement_timeout=0',
  };
  return withDatabase(options, async (db) => {
    if (wish !== 'release payouts') {
      return { text: '', isWhole: await runSteps({ db, config }, wish) };
    }
    const released = await releasePayouts(db.manager, { actor: operatorActor, now: new Date() });
    return lineOf('payouts', released > 0 ? 'go on' : 'were not refused');
  });
}

/** Whether all was done. */
async function runSteps(
  { db, config }: { db: Database; config: Config },
  wish: RestoreCommand,
): Promise<boolean> {
  const temporal = openTemporal(config.temporal);
  const deps = { db, config, temporal, vault: createVault(config.secrets) };
  let isWhole = true;
  try {
    const cause = { actor: operatorActor, now: new Date() };
    for await (const report of afterRestore(deps, cause, wish)) {
      for (const line of report.lines) process.stdout.write(`${lineOf(report.step, line)}\n`);
      isWhole &&= report.isWhole;
    }
    return isWhole;
  } finally {
    await temporal.close().catch(() => undefined);
  }
}

function lineOf(step: string, line: string): string {
  return `${step.padEnd(10)}${line}`;
}

export const command: Command = { usage, run: main };
