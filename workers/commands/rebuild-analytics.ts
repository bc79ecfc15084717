import { rebuildAnalytics } from '../../activities/analytics/rebuild';
import { loadConfig } from '../../runtime/process/config';
import { createDataSource } from '../../entities/database/data-source';
import { isDay } from '../../entities/rules/values/instant';
import { runCommand } from './run-command';
import { dayMs } from '../../entities/rules/values/duration';

const usage =
  'npm run analytics:rebuild [-- YYYY-MM-DD YYYY-MM-DD], two UTC days, both included; whole months are summed';

/** Sums the raw rows again, of the months that two UTC days and what lies between touch, or of all time. */
async function main([from, to]: string[]): Promise<string> {
  if ([from, to].some((day) => day !== undefined && !isDay(day))) throw new Error(usage);
  const { databaseDirectUrl } = loadConfig();
  const db = createDataSource({
    url: databaseDirectUrl,
    poolSize: 2,
    applicationName: 'affiliate-rebuild',
    statementTimeoutMs: 0,
    // Whatever the role has as its own.
    sessionOptions: '-c statement_timeout=0',
  });
  await db.initialize();
  const range = {
    since: from === undefined ? null : new Date(from),
    before: to === undefined ? null : new Date(Date.parse(to) + dayMs),
  };
  await rebuildAnalytics(db.manager, range, ({ since, before, sums }) => {
    const name = (day: Date | null): string => day?.toISOString().slice(0, 10) ?? '...';
    process.stdout.write(`${name(since)} to ${name(before)}: ${sums} sums\n`);
  });
  await db.destroy();
  return '';
}

runCommand(main);
