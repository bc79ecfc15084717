import { rebuildAnalytics } from '../../activities/analytics/rebuild';
import { loadConfig } from '../../runtime/config/config';
import { withDatabase } from '../../entities/database/database';
import { isDay } from '../../entities/rules/values/instant';
import type { Command } from './run-command';
import { dayMs } from '../../entities/rules/values/duration';

const usage = `The sums of analytics made anew from the raw rows, of all time or of the months that two UTC days touch:
  aps rebuild-analytics [YYYY-MM-DD YYYY-MM-DD]`;

/** Sums the raw rows again, of the months that two UTC days and what lies between touch, or of all time. */
async function main([from, to]: string[]): Promise<string> {
  if ([from, to].some((day) => day !== undefined && !isDay(day))) throw new Error(usage);
  const { databaseDirectUrl } = loadConfig();
  const options = {
    url: databaseDirectUrl,
    poolSize: 2,
    applicationName: 'affiliate-rebuild',
    statementTimeoutMs: 0,
    // Whatever the role has as its own.
    sessionOptions: '-c statement_timeout=0',
  };
  const range = {
    since: from === undefined ? null : new Date(from),
    before: to === undefined ? null : new Date(Date.parse(to) + dayMs),
  };
  const name = (day: Date | null): string => day?.toISOString().slice(0, 10) ?? '...';
  await withDatabase(options, ({ manager }) =>
    rebuildAnalytics(manager, range, ({ since, before, sums }) => {
      process.stdout.write(`${name(since)} to ${name(before)}: ${sums} sums\n`);
    }),
  );
  return '';
}

export const command: Command = { usage, run: main };
