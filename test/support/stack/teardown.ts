import { dropTemplate } from '../database';

export default async function tearDown(): Promise<void> {
  await dropTemplate().catch(() => undefined);
  await globalThis.stopTestParts?.();
}
