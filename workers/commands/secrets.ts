import { randomBytes } from 'node:crypto';
import { resealAll } from '../../activities/maintenance/reseal';
import { loadConfig } from '../../runtime/process/config';
import { createVault } from '../../runtime/crypto/vault';
import { generateSecrets } from '../../runtime/process/secrets';
import { withDataSource } from '../../entities/database/data-source';
import { runCommand, type CommandResult } from './run-command';

/**
 * Without an argument: prints new secrets as lines of an environment file, for a deployment's first
 * start. `reseal`: encrypts what is stored again under the first of ENCRYPTION_KEYS; afterwards the
 * others can go.
 */
async function main([command]: readonly string[]): Promise<CommandResult | string> {
  if (command === undefined) return newSecrets();
  if (command !== 'reseal') throw new Error('usage: secrets [reseal]');
  const { databaseUrl: url, databasePooler: pooler, secrets } = loadConfig();
  const options = { url, pooler, poolSize: 1, applicationName: 'secrets' };
  return withDataSource(options, async (db) => {
    const done = await resealAll({ db, vault: createVault(secrets) });
    const lines = done.map(({ table, column, written, unreadable }) => {
      return `${table}.${column}: ${written} encrypted again, ${unreadable} do not open`;
    });
    return {
      text: lines.join('\n'),
      isWhole: done.every(({ unreadable }) => unreadable === 0),
    };
  });
}

function newSecrets(): string {
  const secrets = {
    POSTGRES_PASSWORD: randomBytes(18).toString('hex'),
    SERVICE_DATABASE_PASSWORD: randomBytes(18).toString('hex'),
    ...generateSecrets(),
  };
  return Object.entries(secrets)
    .map(([name, value]) => `${name}='${value}'`)
    .join('\n');
}

runCommand(main);
