import { askOldPayments, type ChangedSale } from '../../activities/purchases/ask-old';
import { withDatabase } from '../../entities/database/database';
import { isUuid } from '../../entities/ids';
import { systemActor } from '../../entities/rules/values/actor';
import { createVault } from '../../runtime/crypto/vault';
import { loadConfig } from '../../runtime/config/config';
import type { Command, CommandResult } from './run-command';

const usage = `Asks again who is credited with what an earlier release decided, by all that is known now.
Shows what would change; with --apply it is changed:
  aps credit [--workspace <id>] [--apply]`;

function wishOf(args: readonly string[]) {
  const rest = args.filter((word) => word !== '--apply');
  const [name, workspaceId] = rest;
  const isUsable =
    rest.length === 0 ||
    (rest.length === 2 &&
      name === '--workspace' &&
      workspaceId !== undefined &&
      isUuid(workspaceId));
  if (!isUsable) throw new Error(usage);
  return { workspaceId, isApplied: args.includes('--apply') };
}

/** One line for each sale whose credit changes. */
function lineOf(sale: ChangedSale): string {
  const { conversionId, externalTransactionId, from, to, currency, before, after } = sale;
  const partner = from === to ? (to ?? 'nobody') : `${from ?? 'nobody'} -> ${to ?? 'nobody'}`;
  return `${conversionId}  ${externalTransactionId}  ${partner}  ${before} -> ${after} ${currency ?? ''}`;
}

async function main(args: readonly string[]): Promise<CommandResult> {
  const wish = wishOf(args);
  const { databaseUrl: url, databasePooler: pooler, secrets } = loadConfig();
  const options = { url, pooler, poolSize: 2, applicationName: 'credit' };
  return withDatabase(options, async (db) => {
    const deps = { db: db.manager, vault: createVault(secrets) };
    const lines: string[] = [];
    const cause = { actor: systemActor, now: new Date() };
    for await (const sale of askOldPayments(deps, cause, wish)) lines.push(lineOf(sale));
    const done = wish.isApplied ? 'changed' : 'would change; --apply does it';
    return { text: [...lines, `${lines.length} sales ${done}`].join('\n'), isWhole: true };
  });
}

export const command: Command = { usage, run: main };
