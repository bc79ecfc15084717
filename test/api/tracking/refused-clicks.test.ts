import { execute } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildApiKey, type BuiltApiKey } from '../../support/build/accounts';
import { buildTrackedShop, type TrackedShop } from '../../support/shops/tracked-shop';
import { until } from '../../support/eventually';

const app = useApp();
let key: BuiltApiKey;
let send: TrackedShop['send'];
let click: TrackedShop['click'];

beforeEach(async () => {
  ({ key, send, click } = await buildTrackedShop(app));
});

describe('POST /v1/clicks refuses', () => {
  it.each([
    ['no key', {}, {}],
    ['an unknown key', { key: `pk_test_${'0'.repeat(32)}` }, {}],
    ['a key of another type', { key: 7 }, {}],
    ['a bearer that is no key, whatever the body says', undefined, { Authorization: 'Bearer abc' }],
    ['another scheme', undefined, { Authorization: 'Basic cGs6' }],
  ])('%s: 401', async (_name, fields, headers) => {
    const body = { ref: 'acme', ...(fields ?? { key: key.key }) };
    const response = await send(body, headers as Record<string, string>);

    expect(response.status).toBe(401);
    expect(response.body.code).toBe('INVALID_PUBLIC_KEY');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('a secret key that does not say whose click it is, in body or header: 401', async () => {
    const secret = await buildApiKey(app.deps.db.manager, { workspaceId: key.workspaceId });
    const inBody = await click({ key: secret.key });
    const inHeader = await send({ ref: 'acme' }, { Authorization: `Bearer ${secret.key}` });

    const named = await click({ key: secret.key, user_agent: 'Mozilla/5.0', ip: '203.0.113.7' });

    expect([inBody.status, inHeader.status, named.status]).toEqual([401, 401, 401]);
    expect(inBody.body.code).toBe('INVALID_PUBLIC_KEY');
  });

  it('a revoked key within a second', async () => {
    expect((await click()).status).toBe(201);
    await execute(app.deps.db.manager, 'UPDATE api_keys SET revoked_at = now() WHERE id = $1', [
      key.id,
    ]);
    // A second, and room for a busy machine.
    await until(async () => (await click()).status === 401, 2_000);
  });

  it.each([
    ['ref missing', {}, 'ref'],
    ['ref empty', { ref: '' }, 'ref'],
    ['ref of nothing that can be seen', { ref: ' \u200b\t' }, 'ref'],
    ['ref of another type', { ref: 5 }, 'ref'],
    ['ref null', { ref: null }, 'ref'],
    ['ref that cannot be stored', { ref: 'a\u0000b' }, 'ref'],
    ['url of another type', { ref: 'acme', url: 5 }, 'url'],
    ['referrer of another type', { ref: 'acme', referrer: {} }, 'referrer'],
    ['visitor_token of another type', { ref: 'acme', visitor_token: [] }, 'visitor_token'],
  ])('%s: 400', async (_name, fields, field) => {
    const { status, body } = await send({ key: key.key, ...fields });

    expect(status).toBe(400);
    expect(body.code).toBe('VALIDATION_ERROR');
    expect(body.details?.map((detail) => detail.field)).toEqual([field]);
  });

  it.each(['{"ref":', '[]', '"text"', 'null', ''])('a body that is no object: %p', async (body) => {
    const response = await send(body, { Authorization: `Bearer ${key.key}` });

    expect(response.status).toBe(400);
    expect(response.body.details?.[0]?.field).toBe('body');
  });

  it('other content types: 415, with the key in header or body', async () => {
    const xml = { 'Content-Type': 'application/xml' };
    const inHeader = await send('<a/>', { ...xml, Authorization: `Bearer ${key.key}` });
    const inBody = await send({ key: key.key, ref: 'acme' }, xml);
    const nowhere = await send({ ref: 'acme' }, xml);

    expect([inHeader.status, inBody.status, nowhere.status]).toEqual([415, 415, 401]);
  });

  it('a body that is too large: 413', async () => {
    const large = { key: key.key, ref: 'acme', url: 'x'.repeat(262_144) };

    expect((await click(large)).status).toBe(413);
    expect((await send(large, { Authorization: `Bearer ${key.key}` })).status).toBe(413);
  });

  it('an encoding that nobody knows', async () => {
    const response = await send(
      { ref: 'acme' },
      { Authorization: `Bearer ${key.key}`, 'Content-Encoding': 'zstd-or-so' },
    );

    expect(response.status).toBe(415);
  });

  it('other verbs: 405', async () => {
    const response = await app.client.get('/v1/clicks');

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('POST');
  });
});
