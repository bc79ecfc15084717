import { randomBytes } from 'node:crypto';
import { resealAll } from '../../activities/maintenance/reseal';
import { loadConfig } from '../../runtime/config/config';
import { createVault } from '../../runtime/crypto/vault';
import { generateSecrets } from '../../runtime/config/secrets';
import { withDatabase } from '../../entities/database/database';
import type { Command, CommandResult } from './run-command';

const usage = `New secrets as lines of an environment file, for a deployment's first start:
  aps secrets > .env
What is stored encrypted again under the first of ENCRYPTION_KEYS; afterwards the others can go:
  aps secrets reseal`;

/** The result is not whole when something stored opens with none of the keys. */
async function main([command]: readonly string[]): Promise<CommandResult | string> {
  if (command === undefined) return newSecrets();
  if (command !== 'reseal') throw new Error(usage);
  const { databaseUrl: url, databasePooler: pooler, secrets } = loadConfig();
  const options = { url, pooler, poolSize: 1, applicationName: 'secrets' };
  return withDatabase(options, async (db) => {
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

/**
 * New secrets, but for EMAIL_WEBHOOK_SECRET, which the mail provider says: one of ours would be
 * nobody's to sign with.
 */
function newSecrets(): string {
  const { EMAIL_WEBHOOK_SECRET: _, ...ours } = generateSecrets();
  const secrets = {
    POSTGRES_PASSWORD: randomBytes(18).toString('hex'),
    SERVICE_DATABASE_PASSWORD: randomBytes(18).toString('hex'),
    ...ours,
  };
  return Object.entries(secrets)
    .map(([name, value]) => `${name}='${value}'`)
    .join('\n');
}

export const command: Command = { usage, run: main };
