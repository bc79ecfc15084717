import { startTestParts } from '../../../stack/test-parts';
import { createTemplate } from '../database';
import { runFolder } from '../run/run-folder';

/** Starts the parts that TEST_PARTS names (all of them unless it does), once for the whole run. */
export default async function setUp(): Promise<void> {
  runFolder();
  const parts = await startTestParts(process.env['TEST_PARTS'] ?? 'all');
  Object.assign(process.env, parts.environment);
  globalThis.stopTestParts = parts.stop;
  if (parts.environment.TEST_DATABASE_URL) await createTemplate();
}
