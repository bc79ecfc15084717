import { randomBytes } from 'node:crypto';
import { generateSecrets } from '../activities/runtime/process/secrets';

/** Prints new secrets as lines of an environment file, for a deployment's first start. */
const secrets = {
  POSTGRES_PASSWORD: randomBytes(18).toString('hex'),
  ...generateSecrets(),
};

for (const [name, value] of Object.entries(secrets)) console.log(`${name}='${value}'`);
