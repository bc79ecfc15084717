import { execute } from '../../../entities/database/sql';
import { buildMember, signIn } from '../../support/build/accounts';
import { buildTwoFactor, codeAt } from '../../support/build/two-factor';
import {
  advance,
  buildPayPalShop,
  compareBooks,
  itemsOf,
  later,
  payBy,
  statusesOf,
  type PayPalShop,
} from '../../support/paypal/shop';
import { usePayPal } from '../../support/paypal/suite';

const { app, paypal } = usePayPal();
afterEach(async () => {
  expect(await compareBooks(app, paypal)).toEqual([]);
});

interface Dry {
  currency: string | null;
  items: number;
  amountCents: number;
  leftOut: { itemId: string; why: string }[];
}

async function dryRun(shop: PayPalShop, payout: { id: string }, body: object = {}) {
  const api = await shop.api();
  const choice = { provider: 'paypal', dryRun: true, ...body };
  return (await api.post<Dry>(`/api/v1/payouts/${payout.id}/send`, choice)).body;
}

async function post(shop: PayPalShop, { id }: { id: string }, body: object) {
  const api = await shop.api();
  const answer = await api.post(`/api/v1/payouts/${id}/send`, { provider: 'paypal', ...body });
  return [answer.status, answer.body['code']];
}

describe('sending a payout (payouts.md, Sent by a provider)', () => {
  it('tells what it would be, and changes nothing', async () => {
    const shop = await buildPayPalShop(app, { partners: 3 });
    const payout = await shop.payout();
    const [first] = shop.partners;
    await execute(
      app.deps.db.manager,
      `UPDATE payout_items SET method_type = NULL, method_encrypted = NULL WHERE payout_id = $1 AND participant_id = $2`,
      [payout.id, first?.id],
    );

    const dry = await dryRun(shop, payout);

    expect(dry).toEqual({
      currency: 'usd',
      items: 2,
      amountCents: 4_000,
      leftOut: [
        { itemId: payout.items.find((i) => i.participantId === first?.id)?.id, why: 'no_method' },
      ],
    });
    expect(await statusesOf(shop, payout)).toEqual(['ready', 'ready', 'ready']);
  });

  it('leaves out what a file held, an address that is too long, and one that failed twice', async () => {
    const shop = await buildPayPalShop(app, { partners: 2 });
    const [long, failing] = shop.partners;
    await payBy(app, long!, `${'a'.repeat(120)}@partner.test`);
    for (let round = 0; round < 2; round += 1) {
      const failed = await shop.payout([failing!]);
      const [item] = await itemsOf(shop, failed);
      const api = await shop.api();
      await api.post(`/api/v1/payouts/${failed.id}/items/${item?.id}/mark`, { status: 'failed' });
    }
    const payout = await shop.payout();
    expect((await dryRun(shop, payout)).leftOut.map(({ why }) => why)).toEqual([
      'method_refused',
      'method_refused',
    ]);
    expect(
      await post(shop, payout, { expected: { items: 1, amountCents: 1 }, code: '123456' }),
    ).toEqual([422, 'PAYOUT_EMPTY']);

    await payBy(app, failing!, 'another@partner.test');
    const next = await shop.payout([failing!]);
    const api = await shop.api();
    await api.get(`/api/v1/payouts/${next.id}/files/paypal`);
    expect((await dryRun(shop, next)).leftOut.map(({ why }) => why)).toEqual(['exported']);
    expect((await dryRun(shop, next, { confirmExported: true })).items).toBe(1);
  });

  it('leaves out what only an import told, where that is asked for, and who is suspended since', async () => {
    const shop = await buildPayPalShop(app, { partners: 3 });
    const [imported, suspended] = shop.partners;
    const db = app.deps.db.manager;
    // The method is written as an import writes it: with the participation, until its partner says it.
    await execute(
      db,
      `UPDATE participants AS p SET payout_method_type = a.payout_method_type,
         payout_method_label = a.payout_method_label, payout_method_account_id = a.id,
         payout_method_encrypted = a.payout_method_encrypted
        FROM partner_accounts AS a WHERE a.id = p.partner_id AND p.id = $1`,
      [imported?.id],
    );
    await execute(
      db,
      `UPDATE partner_accounts SET payout_method_type = NULL, payout_method_label = NULL,
         payout_method_encrypted = NULL, payout_method_said_at = NULL WHERE id = $1`,
      [imported?.partnerId],
    );
    const payout = await shop.payout();
    const ofPartner = (id: string | undefined) =>
      payout.items.find(({ participantId }) => participantId === id)?.id;
    expect(await dryRun(shop, payout)).toMatchObject({ items: 3, leftOut: [] });
    expect(await dryRun(shop, payout, { requireConfirmed: true })).toMatchObject({
      items: 2,
      leftOut: [{ itemId: ofPartner(imported?.id), why: 'unconfirmed_method' }],
    });

    const api = await shop.api();
    const path = `/api/v1/programs/${shop.programId}/partners/${suspended?.id}/suspend`;
    const { status } = await api.patch(path, { reason: 'Odd sales' });
    expect(status).toBe(200);
    expect(await dryRun(shop, payout)).toMatchObject({
      items: 2,
      leftOut: [{ itemId: ofPartner(suspended?.id), why: 'suspended' }],
    });
    const sent = await shop.send(payout, { requireConfirmed: true });
    expect(sent).toMatchObject({ status: 202, body: { leftOut: [{}, {}] } });
    await advance(app, payout);
    paypal.books.payAll();
    await later(app, payout, 60_000);
    expect((await statusesOf(shop, payout)).sort()).toEqual(['paid', 'ready', 'ready']);
  });

  it('takes a code last, which only a send spends', async () => {
    const shop = await buildPayPalShop(app, { limitCents: 0 });
    const payout = await shop.payout();
    const expected = { items: 1, amountCents: 2_000 };
    const code = shop.code();

    const answers = [
      await post(shop, payout, { code }),
      await post(shop, payout, { expected: { items: 2, amountCents: 2_000 }, code }),
      await post(shop, payout, { expected, code }),
    ];
    await execute(
      app.deps.db.manager,
      `UPDATE workspaces SET payout_daily_limits = '[{"currency": "usd", "amountCents": 2000}]' WHERE id = $1`,
      [shop.member.workspaceId],
    );
    answers.push(await post(shop, payout, { expected }));
    answers.push(await post(shop, payout, { expected, code: '000000' }));
    answers.push(await post(shop, payout, { expected, code }));

    expect(answers).toEqual([
      [400, 'VALIDATION_ERROR'],
      [409, 'PAYOUT_CHANGED'],
      [409, 'PAYOUT_OVER_LIMIT'],
      [401, 'TWO_FACTOR_REQUIRED'],
      [401, 'TWO_FACTOR_INVALID'],
      [202, undefined],
    ]);
    expect(await post(shop, payout, { expected, code: shop.code() })).toEqual([
      422,
      'PAYOUT_EMPTY',
    ]);
    await advance(app, payout);
    paypal.books.payAll();
    await later(app, payout, 60_000);
  });

  it('is nobody’s without a second factor, or without a connection', async () => {
    const shop = await buildPayPalShop(app);
    const payout = await shop.payout();
    const expected = { items: 1, amountCents: 2_000 };
    const bare = await buildMember(app.deps.db.manager, {
      role: 'admin',
      workspaceId: shop.member.workspaceId,
    });
    const { accessToken } = await signIn(app.deps, bare);
    const caller = app.client.as(accessToken, 'live');
    const body = { provider: 'paypal', expected, code: '123456' };
    const without = await caller.post(`/api/v1/payouts/${payout.id}/send`, body);
    expect([without.status, without.body['code']]).toEqual([403, 'TWO_FACTOR_SETUP_REQUIRED']);

    await execute(app.deps.db.manager, 'DELETE FROM payout_connections WHERE workspace_id = $1', [
      shop.member.workspaceId,
    ]);
    expect(await post(shop, payout, { expected, code: shop.code() })).toEqual([
      409,
      'PROVIDER_NOT_CONNECTED',
    ]);
  });

  it('stays within the limit of a day', async () => {
    const shop = await buildPayPalShop(app, { limitCents: 3_000 });
    const [first, second] = [await shop.payout(), await shop.payout()];
    expect((await shop.send(first)).status).toBe(202);

    const refused = await shop.send(second);
    expect(refused.body).toMatchObject({ code: 'PAYOUT_OVER_LIMIT' });
    expect(JSON.stringify(refused.body)).toContain('10.00 USD');

    paypal.moods.send = [{ status: 403, body: { name: 'SENDER_RESTRICTED' } }];
    await advance(app, first);
    expect(await statusesOf(shop, first)).toEqual(['ready']);
    expect((await shop.send(second)).status).toBe(202);
    await advance(app, second);
    paypal.books.payAll();
    await later(app, second, 60_000);
  });

  it("is somebody else's where two are needed", async () => {
    const shop = await buildPayPalShop(app);
    await execute(
      app.deps.db.manager,
      `UPDATE workspaces SET payout_approval = 'two' WHERE id = $1`,
      [shop.member.workspaceId],
    );
    const payout = await shop.payout();
    expect((await shop.send(payout)).body).toMatchObject({ code: 'SECOND_PERSON_REQUIRED' });

    const other = await buildMember(app.deps.db.manager, {
      role: 'admin',
      workspaceId: shop.member.workspaceId,
    });
    const { secret } = await buildTwoFactor(app.deps, other);
    const { accessToken } = await signIn(app.deps, other);
    const answer = await app.client
      .as(accessToken, 'live')
      .post(`/api/v1/payouts/${payout.id}/send`, {
        ...{ provider: 'paypal', expected: { items: 1, amountCents: 2_000 } },
        code: codeAt(secret, app.deps.clock.now()),
      });
    expect(answer.status).toBe(202);
    await advance(app, payout);
    paypal.books.payAll();
    await later(app, payout, 60_000);
  });

  it('puts each item into one batch, of several at once', async () => {
    const shop = await buildPayPalShop(app);
    const payout = await shop.payout();
    const expected = { items: 1, amountCents: 2_000 };
    const codes = [shop.code(), shop.code()];
    const api = await shop.api();
    const body = (code: string) => ({ provider: 'paypal', expected, code });
    app.deps.clock.advance(-60_000);
    const answers = await Promise.all(
      codes.map((code) => api.post(`/api/v1/payouts/${payout.id}/send`, body(code))),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    app.deps.clock.advance(60_000);
    await advance(app, payout);
    expect(paypal.books.itemsOf(payout.items[0]?.reference ?? '')).toHaveLength(1);
    paypal.books.payAll();
    await later(app, payout, 60_000);
    expect(await statusesOf(shop, payout)).toEqual(['paid']);
  });
});

describe('what is on its way', () => {
  it('is open: neither marked, completed, cancelled nor in a file, and counted as in the payout', async () => {
    const shop = await buildPayPalShop(app);
    const payout = await shop.payout();
    await shop.send(payout);
    const api = await shop.api();
    const path = `/api/v1/payouts/${payout.id}`;
    const [item] = await itemsOf(shop, payout);
    const [partner] = shop.partners;

    const refusals = [
      await api.post(`${path}/items/${item?.id}/mark`, { status: 'paid' }),
      await api.post(`${path}/items/${item?.id}/mark`, { status: 'paid', confirmChecked: true }),
      await api.post(`${path}/complete`),
      await api.post(`${path}/cancel`, { confirmExported: true }),
      await api.get(`${path}/files/paypal`),
      await api.delete('/api/v1/workspace/payout-providers/paypal'),
    ];

    expect(refusals.map(({ body }) => body['code'])).toEqual([
      'PAYOUT_ITEM_SENDING',
      'PAYOUT_ITEM_SENDING',
      'PAYOUT_NOT_PROCESSING',
      'PAYOUT_NOT_PROCESSING',
      'PAYOUT_FILE_EMPTY',
      'PROVIDER_IN_USE',
    ]);
    const balance = `/api/v1/programs/${shop.programId}/partners/${partner?.id}/balance`;
    expect((await api.get(balance)).body).toMatchObject({
      balances: [{ inPayoutCents: 2_000, paidCents: 0 }],
    });
    expect((await api.get(path)).body).toMatchObject({
      status: 'processing',
      progress: { done: 0, total: 1 },
    });
    await advance(app, payout);
    paypal.books.payAll();
    await later(app, payout, 60_000);
    expect((await api.get(balance)).body).toMatchObject({
      balances: [{ inPayoutCents: 0, paidCents: 2_000 }],
    });
  });
});
