import type { NewKey, Session } from './accounts';
import type { ApiClient, Mode } from './client';
import type { KeyPair } from './state';

const PATH = '/api/v1/workspace/api-keys';

interface KeyRecord {
  kind: NewKey['kind'];
  mode: Mode;
  key?: string;
  revokedAt: string | null;
}

/** The keys of a mode: those we know, else those of the registration, else new ones. */
export async function ensureKeys(
  api: ApiClient,
  mode: Mode,
  { token, newKeys, known }: Session & { known: KeyPair | undefined },
): Promise<KeyPair> {
  if (known && (await isOurs(api, token, known))) return known;
  const fromRegistration = (kind: NewKey['kind']): string | undefined =>
    newKeys.find((key) => key.kind === kind && key.mode === mode)?.key;
  return {
    public: fromRegistration('public') ?? (await createKey(api, token, { kind: 'public', mode })),
    secret: fromRegistration('secret') ?? (await createKey(api, token, { kind: 'secret', mode })),
  };
}

/** Public keys can be read back, so one that is listed shows that both are of this workspace. */
async function isOurs(api: ApiClient, token: string, known: KeyPair): Promise<boolean> {
  const { body } = await api<{ data: KeyRecord[] }>(`${PATH}?limit=100`, { token });
  return body.data.some(({ key, revokedAt }) => key === known.public && revokedAt === null);
}

async function createKey(
  api: ApiClient,
  token: string,
  { kind, mode }: Pick<NewKey, 'kind' | 'mode'>,
): Promise<string> {
  const body = { kind, mode, name: 'Demo' };
  return (await api<{ key: string }>(PATH, { method: 'POST', token, body })).body.key;
}
