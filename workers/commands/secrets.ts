import { randomBytes } from 'node:crypto';
import { resealAll } from '../../activities/maintenance/reseal';
import { loadConfig } from '../../runtime/process/config';
import { createVault } from '../../runtime/crypto/vault';
import { generateSecrets } from '../../runtime/process/secrets';
import { createDataSource } from '../../entities/database/data-source';

/**
 * Without an argument: prints new secrets as lines of an environment file, for a deployment's first
 * start. `reseal`: encrypts what is stored again under the first of ENCRYPTION_KEYS; afterwards the
 * others can go.
 */
async function main(command: string | undefined): Promise<void> {
  if (command === undefined) return print();
  if (command !== 'reseal') throw new Error('usage: secrets [reseal]');
  const { databaseUrl: url, databasePooler: pooler, secrets } = loadConfig();
  const db = createDataSource({ url, pooler, poolSize: 1, applicationName: 'secrets' });
  await db.initialize();
  try {
    const done = await resealAll({ db, vault: createVault(secrets) });
    for (const { table, column, written, unreadable } of done) {
      console.log(`${table}.${column}: ${written} encrypted again, ${unreadable} do not open`);
    }
    if (done.some(({ unreadable }) => unreadable > 0)) process.exitCode = 1;
  } finally {
    await db.destroy();
  }
}

function print(): void {
  const secrets = {
    POSTGRES_PASSWORD: randomBytes(18).toString('hex'),
    SERVICE_DATABASE_PASSWORD: randomBytes(18).toString('hex'),
    ...generateSecrets(),
  };
  for (const [name, value] of Object.entries(secrets)) console.log(`${name}='${value}'`);
}

main(process.argv[2]).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
