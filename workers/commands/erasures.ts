import { readLedger, replayErasures } from '../../activities/erasure/replay';
import { loadConfig } from '../../runtime/process/config';
import { createVault } from '../../runtime/crypto/vault';
import { createDataSource } from '../../entities/database/data-source';
import { systemActor } from '../../entities/rules/values/actor';
import { readErasureFile } from './erasure-file';

/**
 * `export` writes the ledger of erasures, one JSON line each, ids only. `replay <file>` erases on
 * this database, such as a restored backup, whoever stands in the file or in its own ledger.
 */
async function main([command, file]: readonly string[]): Promise<void> {
  const { databaseUrl: url, databasePooler: pooler, secrets } = loadConfig();
  const db = createDataSource({ url, pooler, poolSize: 2, applicationName: 'erasures' });
  await db.initialize();
  try {
    const own = await readLedger(db.manager);
    if (command === 'export') {
      for (const line of own) console.log(JSON.stringify(line));
      return;
    }
    if (command !== 'replay') throw new Error('usage: erasures export | replay [file]');
    const given = file === undefined ? [] : readErasureFile(file);
    const deps = { db, vault: createVault(secrets) };
    const cause = { actor: systemActor, now: new Date() };
    const erased = await replayErasures(deps, cause, [...given, ...own]);
    console.log(`${erased} of ${given.length + own.length} were there and are erased now.`);
  } finally {
    await db.destroy();
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
