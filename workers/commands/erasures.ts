import { readLedger, replayErasures } from '../../activities/erasure/replay';
import { loadConfig } from '../../runtime/config/config';
import { createVault } from '../../runtime/crypto/vault';
import { withDatabase } from '../../entities/database/database';
import { systemActor } from '../../entities/rules/values/actor';
import { readErasureFile } from './erasure-file';
import type { Command } from './run-command';

const usage = `The ledger of erasures, one JSON line each, ids only; and who stands in it erased on this database,
such as a restored backup, from a file and from the database's own ledger:
  aps erasures export > erasures.jsonl
  aps erasures replay [erasures.jsonl]`;

/** The command `replay` alone changes anything. */
async function main([command, file]: readonly string[]): Promise<string> {
  const { databaseUrl: url, databasePooler: pooler, secrets } = loadConfig();
  const options = { url, pooler, poolSize: 2, applicationName: 'erasures' };
  return withDatabase(options, async (db) => {
    const own = await readLedger(db.manager);
    if (command === 'export') return own.map((line) => JSON.stringify(line)).join('\n');
    if (command !== 'replay') throw new Error(usage);
    const given = file === undefined ? [] : readErasureFile(file);
    const deps = { db, vault: createVault(secrets) };
    const cause = { actor: systemActor, now: new Date() };
    const erased = await replayErasures(deps, cause, [...given, ...own]);
    return `${erased} of ${given.length + own.length} were there and are erased now.`;
  });
}

export const command: Command = { usage, run: main };
