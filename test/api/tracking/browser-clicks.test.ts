import { useApp } from '../../support/app';
import type { BuiltApiKey } from '../../support/build/accounts';
import { buildTrackedShop, type TrackedShop } from '../../support/shops/tracked-shop';

const app = useApp();
let key: BuiltApiKey;
let send: TrackedShop['send'];

beforeEach(async () => {
  ({ key, send } = await buildTrackedShop(app));
});

describe('POST /v1/clicks from a browser', () => {
  it('allows any origin, without credentials, on answers and refusals', async () => {
    const origin = { Origin: 'https://shop.example' };
    const good = await send({ key: key.key, ref: 'acme' }, origin);
    const bad = await send({ ref: 'acme' }, origin);

    for (const { headers } of [good, bad]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    expect([good.status, bad.status]).toEqual([201, 401]);
  });

  it('answers a preflight', async () => {
    const response = await fetch(`${app.url}/v1/clicks`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase();
    for (const name of ['authorization', 'last-event-id', 'x-request-id']) {
      expect(allowed?.split(',')).toContain(name);
    }
  });
});
