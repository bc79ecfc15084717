import { retryFailedMails } from '../../activities/mail/retry-failed';
import { withDatabase } from '../../entities/database/database';
import { loadConfig } from '../../runtime/config/config';
import type { Command } from './run-command';

const usage = `Mails that the mail server did not take for a day:
  aps mails retry --failed --since <instant, such as 2026-01-31T09:30:00Z>`;

function readSince(args: readonly string[]): Date {
  const [command, failed, since, instant = '', ...more] = args;
  const isAsked = command === 'retry' && failed === '--failed' && since === '--since';
  const at = new Date(instant);
  if (!isAsked || more.length > 0 || Number.isNaN(at.getTime())) throw new Error(usage);
  return at;
}

/** Queues failed mails again, once what was in their way is mended. */
async function main(args: readonly string[]): Promise<string> {
  const since = readSince(args);
  const { databaseUrl, databasePooler: pooler } = loadConfig();
  return withDatabase({ url: databaseUrl, pooler, poolSize: 2 }, async ({ manager }) => {
    const queued = await retryFailedMails(manager, { since, now: new Date() });
    return `${queued} queued again`;
  });
}

export const command: Command = { usage, run: main };
