import { loadConfig } from '../../runtime/process/config';
import type { Config } from '../../runtime/process/config';
import { ensurePartitionsPatiently } from '../../activities/maintenance/partitions';
import { createDataSource } from '../../entities/database/data-source';
import { migrate } from '../../entities/database/migrate';
import { prepareServingRole } from '../../entities/database/serving-role';
import { prepareNamespace } from '../temporal/namespace';
import { runCommand } from './run-command';

/** Once per release, before its processes start: schema, Temporal namespace and search attributes. */
async function deploy(): Promise<string> {
  const config = loadConfig();
  await migrate(config.databaseOwnerUrl, undefined, say);
  await prepareServing(config);
  const { retentionDays } = config.temporal;
  await prepareNamespace(config.temporal, { retentionDays, say });
  return '';
}

/** What the processes need beside the schema; partitions here too, so that they hang on no schedule. */
async function prepareServing(config: Config): Promise<void> {
  const source = createDataSource({ url: config.databaseOwnerUrl, poolSize: 1 });
  await source.initialize();
  try {
    const { databaseUrl: url, databasePooler: pooler } = config;
    await prepareServingRole(source.manager, { url, pooler });
    await ensurePartitionsPatiently(source.manager, new Date(), { say });
  } finally {
    await source.destroy();
  }
}

function say(sentence: string): void {
  console.error(sentence);
}

runCommand(deploy);
