import { maxLiveKeys } from '../../../activities/credentials/api-keys';
import { useApp } from '../../support/app';
import { buildApiKey, buildWorkspace } from '../../support/build/accounts';

const app = useApp({ RATE_LIMIT_CONVERSIONS: '2' });

/** Limits of one key: as many as there may be live ones in both modes. */
const inKeys = 2 * maxLiveKeys;

async function buildKeys(count: number): Promise<string[]> {
  const { manager } = app.deps.db;
  const { id: workspaceId } = await buildWorkspace(manager);
  const scope = { workspaceId, kind: 'secret', mode: 'test' } as const;
  return Promise.all(
    Array.from({ length: count }, async () => (await buildApiKey(manager, scope)).key),
  );
}

const report = (key: string) =>
  app.client.post<{ code?: string }>(
    '/api/v1/conversions',
    {},
    { headers: { Authorization: `Bearer ${key}` } },
  );

it('bounds what all secret keys of a workspace send together, and no other workspace', async () => {
  const [known = '', unused = '', ...others] = await buildKeys(inKeys + 2);
  const sent = [known, ...others, ...others.slice(1)];
  expect(sent).toHaveLength(2 * inKeys);
  for (const key of sent) expect((await report(key)).status).toBe(400);

  // Each has a report left by its own limit; one is in memory, the other has to be looked up.
  for (const { status, body, headers } of [await report(known), await report(unused)]) {
    expect([status, body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
    expect(headers.get('ratelimit-limit')).toBe(String(2 * inKeys));
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const [foreign = ''] = await buildKeys(1);
  expect((await report(foreign)).status).toBe(400);
});
