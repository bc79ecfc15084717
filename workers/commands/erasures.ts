import { readFileSync } from 'node:fs';
import { readLedger, replayErasures, type LedgerLine } from '../../activities/erasure/replay';
import { loadConfig } from '../../runtime/process/config';
import { createVault } from '../../runtime/crypto/vault';
import { createDataSource } from '../../entities/database/data-source';
import { isUuid } from '../../entities/ids';
import { ledgerKinds } from '../../entities/rules/erasure/erasure';
import { systemActor } from '../../entities/rules/values/actor';

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
    const given = file === undefined ? [] : readLines(file);
    const deps = { db, vault: createVault(secrets) };
    const cause = { actor: systemActor, now: new Date() };
    const erased = await replayErasures(deps, cause, [...given, ...own]);
    console.log(`${erased} of ${given.length + own.length} were there and are erased now.`);
  } finally {
    await db.destroy();
  }
}

function readLines(file: string): LedgerLine[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((text, index) => {
    const line = JSON.parse(text) as LedgerLine;
    if (!ledgerKinds.includes(line.kind) || !isUuid(line.subjectId)) {
      throw new Error(`line ${index + 1} of ${file} is no erasure`);
    }
    return line;
  });
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
