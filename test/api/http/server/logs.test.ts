import fs from 'node:fs';
import { newId } from '../../../../entities/ids';
import { startTestApp, type TestApp } from '../../../support/app';
import { buildApiKey, buildMember, signIn, testPassword } from '../../../support/build/accounts';
import { eventually } from '../../../support/eventually';

/** Everything that is written to standard output, as a collector of logs gets it. */
const lines: string[] = [];
let app: TestApp;
beforeAll(async () => {
  const write = fs.writeSync.bind(fs) as (...of: unknown[]) => number;
  jest.spyOn(fs, 'writeSync').mockImplementation(((
    fd: number,
    text: string,
    ...rest: unknown[]
  ) => {
    if (fd !== 1) return write(fd, text, ...rest);
    lines.push(String(text));
    return Buffer.byteLength(String(text));
  }) as typeof fs.writeSync);
  app = await startTestApp({ LOG_LEVEL: 'trace' });
});
afterAll(async () => {
  await app.close();
  jest.restoreAllMocks();
});

/** Each is a secret of its own kind, sent where such a secret is sent. */
it('hold no password, token, key, signature, address or body, whatever becomes of the request', async () => {
  const { client, deps } = app;
  const member = await buildMember(deps.db.manager);
  const { accessToken } = await signIn(deps, member);
  const { key } = await buildApiKey(deps.db.manager, {
    workspaceId: member.workspaceId,
    mode: 'test',
    kind: 'secret',
  });
  const secret = (): string => `canary${newId().replaceAll('-', '')}`;
  const said = { password: secret(), token: secret(), cookie: secret(), text: secret() };
  const email = `${secret()}@example.com`;

  await client.post('/api/v1/auth/merchant/login', { email, password: said.password });
  await client.post('/api/v1/auth/merchant/login', { email: member.email, password: testPassword });
  await client.get(`/verify-email?token=${said.token}`);
  await client.get(`/api/v1/notifications/stream?ticket=${said.token}`);
  await client.post('/api/v1/auth/merchant/refresh', { refreshToken: said.token });
  await client.post(
    '/api/v1/auth/merchant/refresh',
    {},
    {
      headers: { 'X-Session': 'cookie', Cookie: `aps_merchant=${said.cookie}` },
    },
  );
  await client.post('/api/v1/auth/merchant/login', `{"email":"${said.text}`, {
    headers: { 'Content-Type': 'application/json' },
  });
  await client.as(key).post('/api/v1/conversions', {
    external_transaction_id: said.text,
    event_type: 'buy',
    promo_code: 'NOBODY',
    prospect_email: email,
    metadata: { note: said.text },
  });
  await client.post(`/webhooks/stripe/${newId()}`, `{"id":"${said.text}"}`, {
    headers: { 'Stripe-Signature': `t=1,v1=${said.token}` },
  });
  await client.as(accessToken).get(`/api/v1/programs?search=${said.text}`);

  // What nobody foresaw: a driver's error has the values of its statement.
  const broken = jest.spyOn(deps.vault, 'contactHash').mockImplementation(() => {
    const error = new Error('something failed');
    throw Object.assign(error, { parameters: [said.text], detail: said.text });
  });
  const failed = await fetch(`${app.url}/api/v1/auth/merchant/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: said.password }),
  });
  broken.mockRestore();
  expect(failed.status).toBe(500);

  const text = await eventually(() =>
    Promise.resolve(lines.join('').includes('something failed') ? lines.join('') : undefined),
  );
  const secrets = { ...said, email, memberEmail: member.email, accessToken, key, testPassword };
  const found = Object.entries(secrets).filter(([, value]) => text.includes(value));
  expect(found.map(([name]) => name)).toEqual([]);
});
