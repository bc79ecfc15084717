import { resetTwoFactor } from '../../activities/accounts/two-factor/changes';
import type { AccountRef } from '../../activities/credentials/sessions';
import { withDatabase } from '../../entities/database/database';
import { isUuid } from '../../entities/ids';
import { sides } from '../../entities/rules/accounts/accounts';
import { loadConfig } from '../../runtime/config/config';
import type { Command } from './run-command';

const usage = `The second factor of somebody who has lost it (docs/runbook-accounts.md):
  aps two-factor reset merchant|partner <account id>`;

function readAccount([command, given, accountId = '', ...more]: readonly string[]): AccountRef {
  const side = sides.find((candidate) => candidate === given);
  if (command !== 'reset' || !side || !isUuid(accountId) || more.length > 0) throw new Error(usage);
  return { side, accountId: accountId.toLowerCase() };
}

/** Takes the second factor off an account. */
async function main(args: readonly string[]): Promise<string> {
  const account = readAccount(args);
  const { databaseUrl, databasePooler: pooler } = loadConfig();
  await withDatabase({ url: databaseUrl, pooler, poolSize: 2 }, ({ manager }) =>
    resetTwoFactor(manager, { now: new Date() }, account),
  );
  return `The ${account.side} ${account.accountId} has no second factor any more.`;
}

export const command: Command = { usage, run: main };
