import { loadConfig } from '../activities/runtime/process/config';
import { ensurePartitions } from '../activities/maintenance/partitions';
import { createDataSource, migrate } from '../entities/database/data-source';
import { prepareNamespace } from './parts/temporal-namespace';

/** Once per release, before its processes start: schema, Temporal namespace and search attributes. */
async function deploy(): Promise<void> {
  const { databaseUrl, temporal } = loadConfig();
  await migrate(databaseUrl);
  await makePartitions(databaseUrl);
  await prepareNamespace(temporal);
}

/** Made here too, so that they do not hang on Temporal alone. */
async function makePartitions(url: string): Promise<void> {
  const source = createDataSource({ url, poolSize: 1 });
  await source.initialize();
  try {
    await ensurePartitions(source.manager, new Date());
  } finally {
    await source.destroy();
  }
}

deploy().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
