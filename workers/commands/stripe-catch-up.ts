import { catchUp, lineOfCaughtUp } from '../../activities/billing/catch-up';
import { withDatabase } from '../../entities/database/database';
import { isUuid } from '../../entities/ids';
import { operatorActor } from '../../entities/rules/values/actor';
import { createVault } from '../../runtime/crypto/vault';
import { loadConfig } from '../../runtime/config/config';
import type { Command, CommandResult } from './run-command';

const usage = `Takes in what Stripe, Paddle and Polar list and we do not have, of the last 30 days at most:
  aps stripe-catch-up --since 2026-01-31T09:30:00Z [--connection <id>]`;

interface Wish {
  since: Date;
  connectionId: string | undefined;
}

function wishOf(args: readonly string[]): Wish {
  const valueOf = (name: string): string | undefined =>
    args.includes(name) ? (args[args.indexOf(name) + 1] ?? '') : undefined;
  const since = new Date(valueOf('--since') ?? '');
  const connectionId = valueOf('--connection');
  const isUsable = connectionId === undefined || isUuid(connectionId);
  if (Number.isNaN(since.getTime()) || !isUsable) throw new Error(usage);
  return { since, connectionId };
}

/** One line for each connection; not whole when one could not be read to the end. */
async function main(args: readonly string[]): Promise<CommandResult> {
  const wish = wishOf(args);
  const config = loadConfig();
  const { databaseUrl: url, databasePooler: pooler, secrets } = config;
  const options = { url, pooler, poolSize: 2, applicationName: 'stripe-catch-up' };
  return withDatabase(options, async (db) => {
    const deps = { db, config, vault: createVault(secrets) };
    const done = await catchUp(deps, { actor: operatorActor, now: new Date() }, wish);
    return {
      text: done.length > 0 ? done.map(lineOfCaughtUp).join('\n') : 'No connection has a key.',
      isWhole: done.every(({ failure }) => failure === null),
    };
  });
}

export const command: Command = { usage, run: main };
