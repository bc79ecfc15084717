import { dropTemplate } from '../database';
import { removeRunFolder } from '../run/run-folder';

export default async function tearDown(): Promise<void> {
  await dropTemplate().catch(() => undefined);
  await globalThis.stopTestParts?.();
  removeRunFolder();
}
