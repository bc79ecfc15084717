import { buildMember, signIn, testPassword } from '../../support/build/accounts';
import { buildTwoFactor } from '../../support/build/two-factor';
import { buildPayPalShop } from '../../support/paypal/shop';
import { usePayPal } from '../../support/paypal/suite';

const { app, paypal } = usePayPal();

/** A shop with a payout that is ready, and a stranger with the access token of its admin: no password, no code. */
async function stolen() {
  const shop = await buildPayPalShop(app, { partners: 2 });
  const payout = await shop.payout();
  const { workspaceId } = shop.member;
  const admin = await buildMember(app.deps.db.manager, { role: 'admin', workspaceId });
  await buildTwoFactor(app.deps, admin);
  const { accessToken } = await signIn(app.deps, admin);
  return { shop, payout, thief: app.client.as(accessToken, 'live') };
}

const code = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body['code'],
];
const expected = { items: 2, amountCents: 4_000 };
const send = { provider: 'paypal', expected };

describe('the stolen session of an admin', () => {
  afterEach(() => expect(paypal.calls.filter(({ method }) => method === 'POST')).toEqual([]));

  it('sends nothing without a code, and guesses ten', async () => {
    const { payout, thief } = await stolen();
    const path = `/api/v1/payouts/${payout.id}/send`;
    expect(code(await thief.post(path, send))).toEqual([401, 'TWO_FACTOR_REQUIRED']);
    const guesses = [];
    for (let guess = 0; guess < 12; guess += 1) {
      guesses.push((await thief.post(path, { ...send, code: String(100_000 + guess) })).status);
    }
    expect(guesses.slice(0, 9)).toEqual(Array(9).fill(401));
    expect(guesses.slice(-1)).toEqual([429]);
  });

  it('gets no code of its own', async () => {
    const { thief } = await stolen();
    const factor = '/api/v1/auth/merchant/two-factor';
    const password = `${testPassword} not`;
    const tries = [
      await thief.post(`${factor}/setup`, { password }),
      await thief.post(`${factor}/disable`, { password, code: '123456' }),
      await thief.post(`${factor}/recovery-codes`, { password, code: '123456' }),
      await thief.post('/api/v1/auth/merchant/change-email', {
        email: 'thief@evil.example',
        password,
      }),
      await thief.post('/api/v1/auth/merchant/change-password', {
        currentPassword: password,
        newPassword: 'a password of the thief',
      }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  });

  it('changes neither who is paid from, nor how much, nor who may', async () => {
    const { thief } = await stolen();
    const connection = '/api/v1/workspace/payout-providers/paypal';
    const own = { clientId: 'thief', clientSecret: 'thief', code: '123456' };
    const limits = { payoutDailyLimits: [{ currency: 'usd', amountCents: 1 }], code: '123456' };
    const member = { email: 'thief@evil.example', role: 'admin' };
    const tries = [
      await thief.put(connection, own),
      await thief.delete(connection),
      await thief.patch('/api/v1/workspace', limits),
      await thief.post('/api/v1/workspace/members', member),
    ];
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it('makes a partner of its own, whose balance no key sends', async () => {
    const { shop, thief } = await stolen();
    const partners = `/api/v1/programs/${shop.programId}/partners`;
    const added = await thief.post<{ id: string }>(partners, {
      email: 't@evil.example',
      name: 'T',
    });
    const adjustment = { amountCents: 1_000_000, reason: 'Bonus' };
    const adjusted = await thief.post<{ id: string }>(
      `${partners}/${added.body.id}/adjustments`,
      adjustment,
    );
    const made = await thief.post<{ id: string; items: { method: unknown }[] }>('/api/v1/payouts', {
      programId: shop.programId,
      commissionIds: [adjusted.body.id],
    });
    expect(made.status).toBe(201);
    // Nobody has proved the address: there is no way to pay it.
    expect(made.body.items).toMatchObject([{ method: null }]);

    const key = { kind: 'management', mode: 'live', role: 'admin' };
    const { body } = await thief.post<{ key: string }>('/api/v1/workspace/api-keys', key);
    const later = app.client.as(body.key);
    const path = `/api/v1/payouts/${made.body.id}/send`;
    expect(code(await later.post(path, { ...send, code: '123456' }))).toEqual([403, 'FORBIDDEN']);
    expect(code(await later.post(path, { provider: 'paypal', dryRun: true }))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });

  it('turns no payout that is ready to another account', async () => {
    const { shop, payout, thief } = await stolen();
    const method = { type: 'paypal', email: 't@evil.example' };
    const put = await thief.put('/api/v1/partner/payout-method', {
      method,
      password: testPassword,
    });
    expect(code(put)).toEqual([403, 'FORBIDDEN']);
    const read = () => thief.get<{ items: { method: unknown }[] }>(`/api/v1/payouts/${payout.id}`);
    const before = await read();
    const partner = `/api/v1/programs/${shop.programId}/partners/${shop.partners[0]?.id}`;
    expect((await thief.patch(partner, { payoutMethod: method })).status).toBe(405);
    expect((await read()).body.items).toEqual(before.body.items);
  });
});
