import { loadConfig } from '../activities/runtime/process/config';
import { migrate } from '../entities/database/data-source';
import { prepareNamespace } from './parts/temporal-namespace';

/** Once per release, before its processes start: schema, Temporal namespace and search attributes. */
async function deploy(): Promise<void> {
  const { databaseUrl, temporal } = loadConfig();
  await migrate(databaseUrl);
  await prepareNamespace(temporal);
}

deploy().then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
