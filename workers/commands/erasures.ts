import { readLedger, replayErasures } from '../../activities/erasure/replay';
import { loadConfig } from '../../runtime/process/config';
import { createVault } from '../../runtime/crypto/vault';
import { withDataSource } from '../../entities/database/data-source';
import { systemActor } from '../../entities/rules/values/actor';
import { readErasureFile } from './erasure-file';
import { runCommand } from './run-command';

/**
 * `export` writes the ledger of erasures, one JSON line each, ids only. `replay <file>` erases on
 * this database, such as a restored backup, whoever stands in the file or in its own ledger.
 */
async function main([command, file]: readonly string[]): Promise<string> {
  const { databaseUrl: url, databasePooler: pooler, secrets } = loadConfig();
  const options = { url, pooler, poolSize: 2, applicationName: 'erasures' };
  return withDataSource(options, async (db) => {
    const own = await readLedger(db.manager);
    if (command === 'export') return own.map((line) => JSON.stringify(line)).join('\n');
    if (command !== 'replay') throw new Error('usage: erasures export | replay [file]');
    const given = file === undefined ? [] : readErasureFile(file);
    const deps = { db, vault: createVault(secrets) };
    const cause = { actor: systemActor, now: new Date() };
    const erased = await replayErasures(deps, cause, [...given, ...own]);
    return `${erased} of ${given.length + own.length} were there and are erased now.`;
  });
}

runCommand(main);
