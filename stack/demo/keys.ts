import type { NewKeyDto } from '../../packages/client/src';
import type { Connection, Mode } from './client';
import type { KeyPair } from './state';

interface Given {
  newKeys: readonly NewKeyDto[];
  known: KeyPair | undefined;
}

/** The keys of a mode: those we know, else those of the registration, else new ones. */
export async function ensureKeys(
  merchant: Connection,
  mode: Mode,
  { newKeys, known }: Given,
): Promise<KeyPair> {
  if (known && (await isOurs(merchant, known))) return known;
  const ensure = async (kind: 'public' | 'secret'): Promise<string> =>
    newKeys.find((key) => key.kind === kind && key.mode === mode)?.key ??
    createKey(merchant, kind, mode);
  return { public: await ensure('public'), secret: await ensure('secret') };
}

/** Public keys can be read back, so one that is listed shows that both are of this workspace. */
async function isOurs({ client, options }: Connection, known: KeyPair): Promise<boolean> {
  const { data } = await client.apiKeys.list({ limit: 100 }, options);
  return data.some(({ key, revokedAt }) => key === known.public && revokedAt === null);
}

async function createKey(
  { client, options }: Connection,
  kind: 'public' | 'secret',
  mode: Mode,
): Promise<string> {
  const { key } = await client.apiKeys.create({ kind, mode, name: 'Demo' }, options);
  if (key === undefined) throw new Error('A new key came without its text.');
  return key;
}
