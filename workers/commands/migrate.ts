import { loadConfig } from '../../runtime/config/config';
import { ensurePartitionsPatiently } from '../../activities/maintenance/partitions';
import { withDatabase } from '../../entities/database/database';
import { migrate } from '../../entities/database/migrate';
import { prepareServingRole } from '../../entities/database/serving-role';
import { prepareNamespace } from '../temporal/namespace';
import type { Command } from './run-command';

const usage = `Schema, roles, partitions, Temporal's namespace and search attributes, once per release before its processes start:
  aps migrate`;

/** Prepares a release, once before its processes start: schema, Temporal namespace and search attributes. */
async function migrateAll(): Promise<string> {
  const config = loadConfig();
  await migrate(config.databaseOwnerUrl, undefined, say);
  // What the processes need beside the schema; partitions here too, so that they hang on no schedule.
  await withDatabase({ url: config.databaseOwnerUrl, poolSize: 1 }, async ({ manager }) => {
    const { databaseUrl: url, databasePooler: pooler } = config;
    await prepareServingRole(manager, { url, pooler });
    await ensurePartitionsPatiently(manager, new Date(), { say });
  });
  const { retentionDays } = config.temporal;
  await prepareNamespace(config.temporal, { retentionDays, say });
  return '';
}

function say(sentence: string): void {
  console.error(sentence);
}

export const command: Command = { usage, run: migrateAll };
