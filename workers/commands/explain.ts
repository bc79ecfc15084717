import { explain } from '../../activities/explain/explain';
import { withDatabase } from '../../entities/database/database';
import { isUuid } from '../../entities/ids';
import { openTemporal } from '../../runtime/temporal/link';
import { systemClock } from '../../runtime/observe/clock';
import { loadConfig } from '../../runtime/config/config';
import type { Command } from './run-command';
import { dayMs } from '../../entities/rules/values/duration';

const usage = `What is known of an id, in order, and why what was expected did not happen:
  aps explain <id> [--endpoint <endpoint id>] [--since <ISO instant>]
The id is one of ours (commission, conversion, event, delivery, endpoint, mail, erasure, reset, event of
a biller or code there), a biller's, the merchant's (external transaction), or an X-Request-Id, which is
looked for in the last 24 hours unless --since says otherwise.`;

async function main([name, ...options]: string[]): Promise<string> {
  const endpointId = optionOf(options, '--endpoint');
  const sinceText = optionOf(options, '--since');
  const since = new Date(sinceText ?? Date.now() - dayMs);
  const isWrong = Number.isNaN(since.getTime()) || (endpointId !== null && !isUuid(endpointId));
  if (name === undefined || name.startsWith('-') || isWrong) throw new Error(usage);

  const config = loadConfig();
  const { databaseUrl: url, databasePooler: pooler } = config;
  const temporal = openTemporal(config.temporal);
  try {
    const lines = await withDatabase({ url, pooler, poolSize: 4 }, (db) =>
      explain({ db, config, temporal, clock: systemClock }, { name, endpointId, since }),
    );
    return lines.join('\n');
  } finally {
    await temporal.close().catch(() => undefined);
  }
}

function optionOf(options: readonly string[], name: string): string | null {
  const place = options.indexOf(name);
  return place < 0 ? null : (options[place + 1] ?? null);
}

export const command: Command = { usage, run: main };
