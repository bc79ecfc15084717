import type Stripe from 'stripe';
import { anonymiseSubject } from '../../../activities/erasure/anonymise';
import { lockSubject } from '../../../activities/erasure/lock';
import { attemptCode } from '../../../activities/billing/codes/attempt';
import { execute, query, queryOne } from '../../../entities/database/sql';
import type { Biller } from '../../../entities/rules/billing/biller';
import { systemActor } from '../../../entities/rules/values/actor';
import { newId } from '../../../entities/ids';
import { startTestApp, type TestApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, signIn } from '../../support/build/accounts';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import {
  answerLikeStripe,
  listed,
  paddleCode,
  polarCode,
  stripeCode,
} from '../../support/billers/codes';
import { startBillerStandIn, type BillerStandIn } from '../../support/billers/stand-in';

let app: TestApp;
let vendor: BillerStandIn;
let api: Caller;
let path: string;
let scope: { workspaceId: string; mode: 'test' };

beforeAll(async () => {
  vendor = await startBillerStandIn();
  const { url } = vendor;
  app = await startTestApp({ PADDLE_API_BASE: url, POLAR_API_BASE: url, STRIPE_API_BASE: url });
});
afterAll(async () => {
  await app.close();
  await vendor.close();
});
beforeEach(async () => {
  vendor.reset();
  const db = app.deps.db.manager;
  const program = await buildProgram(db, { mode: 'test' });
  const participant = await buildParticipant(db, { program });
  scope = { workspaceId: program.workspaceId, mode: 'test' };
  const { workspaceId } = scope;
  const member = await buildMember(db, { role: 'admin', workspaceId });
  api = app.client.as((await signIn(app.deps, member)).accessToken, 'test');
  path = `/api/v1/programs/${program.id}/partners/${participant.id}/promo-codes`;
});

const keys = { stripe: 'rk_test_1234567890', paddle: 'pdl_sdbx_key', polar: 'polar_oat_key' };

/** A connection that has a key, as putting one leaves it. */
async function connect(biller: Biller): Promise<void> {
  const id = newId();
  const key = app.deps.vault.encrypt(keys[biller], ['stripe_connections.restricted_key', id]);
  await execute(
    app.deps.db.manager,
    `INSERT INTO stripe_connections
       (id, workspace_id, mode, biller, restricted_key, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, now(), now())`,
    [id, scope.workspaceId, scope.mode, biller, key],
  );
}

interface AtBiller {
  biller: string;
  status: string;
  externalId: string | null;
  message: string | null;
}
interface Code {
  code: string;
  discount: object | null;
  billers: AtBiller[];
}

const give = (code: string, discount?: object) =>
  api.post<{ promoCode: Code; promoCodes: string[] }>(path, {
    code,
    ...(discount && { discount }),
  });

/** Does what the workflow does at its first attempt, for each code of the workspace. */
async function attempt(): Promise<string[]> {
  const rows = await query<{ id: string }>(
    app.deps.db.manager,
    'SELECT id FROM biller_codes WHERE workspace_id = $1 ORDER BY biller, created_at',
    [scope.workspaceId],
  );
  const states: string[] = [];
  for (const { id } of rows) states.push(await attemptCode(app.deps, id));
  return states;
}

const codes = async () => (await api.get<{ data: Code[] }>(path)).body.data;
const atBillers = async () => (await codes()).flatMap(({ billers }) => billers);
const threeMonths = { percentOffBps: 1_000, months: 3 };

const vendors = {
  stripe: {
    list: 'GET /v1/promotion_codes',
    create: 'POST /v1/promotion_codes',
    same: stripeCode(),
    other: stripeCode({ percent: 20 }),
    page: listed.stripe,
    path: '/v1/promotion_codes',
    off: (id: string) => `POST /v1/promotion_codes/${id}`,
    permission: 'rak_coupon_write',
  },
  paddle: {
    list: 'GET /discounts',
    create: 'POST /discounts',
    same: paddleCode(),
    other: paddleCode({ recur: false, maximum_recurring_intervals: null }),
    page: listed.paddle,
    path: '/discounts',
    off: (id: string) => `PATCH /discounts/${id}`,
    permission: 'discount.write',
  },
  polar: {
    list: 'GET /v1/discounts',
    create: 'POST /v1/discounts',
    same: polarCode(),
    other: polarCode({ duration_in_months: 4 }),
    page: listed.polar,
    path: '/v1/discounts',
    off: (id: string) => `DELETE /v1/discounts/${id}`,
    permission: 'discounts:write',
  },
};

describe('a code with a discount (billers.md, Codes at the biller)', () => {
  it('is made nowhere without a discount, or without a biller', async () => {
    await connect('polar');
    const { body, status } = await give('PLAIN1');
    expect(status).toBe(201);
    expect(body.promoCode).toMatchObject({ code: 'PLAIN1', discount: null, billers: [] });
    expect(body.promoCodes).toEqual(['PLAIN1']);
    expect(await attempt()).toEqual([]);
  });

  it.each([
    [{}, 'discount'],
    [{ percentOffBps: 10_001 }, 'discount.percentOffBps'],
    [{ percentOffBps: 100, amountOffCents: 5, currency: 'eur' }, 'discount'],
    [{ amountOffCents: 5 }, 'discount.currency'],
    [{ percentOffBps: 100, currency: 'eur' }, 'discount.currency'],
    [{ percentOffBps: 100, months: 37 }, 'discount.months'],
  ])('%j is refused at %s', async (discount, field) => {
    const { status, body } = await give('BADONE', discount);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(field);
    expect(await codes()).toEqual([]);
  });

  it.each(['stripe', 'paddle', 'polar'] as const)('is made at %s, once', async (biller) => {
    await connect(biller);
    const { list, create, same, page } = vendors[biller];
    vendor.set('POST /v1/coupons', { id: 'coupon_1' });
    vendor.set(create, biller === 'paddle' ? { data: same } : same);
    const { body } = await give('anna10', threeMonths);
    const pending = { biller, status: 'pending', externalId: null, message: null };
    expect(body.promoCode).toMatchObject({ discount: threeMonths, billers: [pending] });
    expect(await attempt()).toEqual(['made']);
    const [made] = await atBillers();
    expect(made).toMatchObject({ biller, status: 'made', externalId: same.id });
    expect(made?.message === null).toBe(biller !== 'paddle');
    const calls = vendor.calls.length;
    expect(await attempt()).toEqual(['made']);
    expect(vendor.calls).toHaveLength(calls);

    // What was sent is, read back, the same discount: an answer that got lost is taken up.
    const sent = vendor.calls.find((call) => `${call.method} ${call.path}` === create)?.body ?? {};
    const there = biller === 'stripe' ? same : { ...same, ...sent };
    vendor.set(list, page(there));
    expect((await api.post(`${path}/ANNA10/sync`, {})).status).toBe(202);
    expect(await attempt()).toEqual(['made']);
    expect(vendor.countOf('POST', vendors[biller].path)).toBe(1);
  });

  it.each(['stripe', 'paddle', 'polar'] as const)(
    'is taken up at %s where it is the same, and fails where it is another',
    async (biller) => {
      await connect(biller);
      const { list, same, other, page } = vendors[biller];
      vendor.set(list, page(other));
      await give('ANNA10', threeMonths);
      expect(await attempt()).toEqual(['failed']);
      expect((await atBillers())[0]?.message).toContain('another discount');
      vendor.set(list, page(other, same));
      await api.post(`${path}/anna10/sync`, {});
      expect(await attempt()).toEqual(['made']);
      expect((await atBillers())[0]?.externalId).toBe(same.id);
      expect(vendor.countOf('POST', vendors[biller].path)).toBe(0);
    },
  );

  it.each(['stripe', 'paddle', 'polar'] as const)(
    'says which permission the key of %s lacks, and is tried again on silence',
    async (biller) => {
      await connect(biller);
      vendor.broken = true;
      await give('ANNA10', threeMonths);
      expect(await attempt()).toEqual(['again']);
      expect((await atBillers())[0]?.status).toBe('pending');
      vendor.broken = false;
      vendor.forbidden.add(vendors[biller].path);
      expect(await attempt()).toEqual(['failed']);
      expect((await atBillers())[0]?.message).toContain(vendors[biller].permission);
      expect(await codes()).toHaveLength(1);
    },
  );

  it.each(['stripe', 'paddle', 'polar'] as const)(
    'is switched off at %s when it is taken away, before another of its text is made',
    async (biller) => {
      await connect(biller);
      const { list, same, page, off } = vendors[biller];
      vendor.set(list, page(same));
      await give('ANNA10', threeMonths);
      expect(await attempt()).toEqual(['made']);
      expect((await api.delete(`${path}/anna10`)).status).toBe(204);
      await give('ANNA10', threeMonths);
      vendor.broken = true;
      expect(await attempt()).toEqual(['again', 'again']);
      vendor.broken = false;
      vendor.calls.length = 0;
      vendor.set(off(same.id ?? ''), same);
      expect(await attempt()).toEqual(['deleted', 'made']);
      const [method = '', at = ''] = off(same.id ?? '').split(' ');
      expect(vendor.countOf(method, at)).toBe(1);
    },
  );

  it.each(['paddle', 'polar'] as const)(
    'is asked for again at %s as long as no answer says what it is called there',
    async (biller) => {
      await connect(biller);
      const { create, same } = vendors[biller];
      vendor.set(create, biller === 'paddle' ? { data: {} } : {});
      await give('ANNA10', threeMonths);
      expect(await attempt()).toEqual(['again']);
      expect(await atBillers()).toMatchObject([{ status: 'pending', externalId: null }]);
      vendor.set(create, biller === 'paddle' ? { data: same } : same);
      expect(await attempt()).toEqual(['made']);
    },
  );

  it('is made anew at Stripe where it was switched off by hand, whatever its answers repeat', async () => {
    await connect('stripe');
    const there = new Map<string, Partial<Stripe.PromotionCode>>();
    const coupons = new Map<string, object>();
    answerLikeStripe(vendor, { codes: there, coupons });
    await give('ANNA10', threeMonths);
    expect(await attempt()).toEqual(['made']);
    const [first] = await atBillers();
    const old = there.get(first?.externalId ?? '');
    expect(old).toMatchObject({ active: true });
    there.set(old?.id ?? '', { ...old, active: false });
    coupons.clear();

    await api.post(`${path}/ANNA10/sync`, {});
    expect(await attempt()).toEqual(['made']);
    const [again] = await atBillers();
    expect(there.get(again?.externalId ?? '')).toMatchObject({ active: true });
    expect(coupons.size).toBe(1);
    expect(there.size).toBe(2);
  });

  it('is switched off while its partner is suspended, and made again afterwards', async () => {
    await connect('polar');
    const { create, same } = vendors.polar;
    vendor.set(create, same);
    await give('ANNA10', threeMonths);
    await give('GONE20', threeMonths);
    await attempt();
    await api.delete(`${path}/GONE20`);
    vendor.answers.set(`DELETE /v1/discounts/${same.id}`, () => ({ status: 204, body: {} }));
    await attempt();
    vendor.calls.length = 0;

    const partner = path.replace('/promo-codes', '');
    expect((await api.patch(`${partner}/suspend`, { reason: 'Asked twice' })).status).toBe(200);
    expect(await attempt()).toEqual(['deleted', 'deleted']);
    expect(vendor.countOf('DELETE', `/v1/discounts/${same.id}`)).toBe(1);
    expect(await atBillers()).toMatchObject([{ status: 'deleted' }]);
    expect((await api.post(`${path}/ANNA10/sync`, {})).status).toBe(202);
    expect((await give('LATER1', threeMonths)).status).toBe(201);
    expect(await attempt()).toEqual(['deleted', 'deleted', 'deleted']);
    expect(vendor.countOf('POST', '/v1/discounts')).toBe(0);

    expect((await api.patch(`${partner}/reinstate`, {})).status).toBe(200);
    expect((await attempt()).sort()).toEqual(['deleted', 'made', 'made']);
    const made = (await codes()).map(({ code, billers }) => [code, billers[0]?.status]);
    expect(made).toEqual([
      ['ANNA10', 'made'],
      ['LATER1', 'made'],
    ]);
  });

  it('is switched off for ever when its partner is erased', async () => {
    await connect('polar');
    const { create, same } = vendors.polar;
    vendor.set(create, same);
    await give('ANNA10', threeMonths);
    await attempt();
    vendor.answers.set(`DELETE /v1/discounts/${same.id}`, () => ({ status: 204, body: {} }));
    const { db, vault } = app.deps;
    const subjectId = path.split('/').at(-2) ?? '';
    const [erasureId, now] = [newId(), new Date()];
    const subject = { erasureId, kind: 'participant', subjectId } as const;
    await lockSubject({ db, vault }, { now, actor: systemActor }, subject);
    expect(await attempt()).toEqual(['made']);
    await anonymiseSubject({ db, vault }, { now }, erasureId);
    expect(await attempt()).toEqual(['deleted']);
    expect(vendor.countOf('DELETE', `/v1/discounts/${same.id}`)).toBe(1);
  });

  it('is never changed to fit: Paddle and Polar take no hyphen', async () => {
    await connect('paddle');
    await connect('polar');
    await give('ANNA-10', { amountOffCents: 500, currency: 'eur' });
    expect(await attempt()).toEqual(['failed', 'failed']);
    for (const { message } of await atBillers()) expect(message).toContain('letters and digits');
    expect(vendor.calls).toEqual([]);
  });

  it('takes off an amount once, in the words of each biller', async () => {
    for (const biller of ['paddle', 'polar', 'stripe'] as const) await connect(biller);
    vendor.set('POST /discounts', { data: paddleCode() });
    vendor.set('POST /v1/discounts', polarCode());
    vendor.set('POST /v1/coupons', { id: 'coupon_1' });
    vendor.set('POST /v1/promotion_codes', stripeCode());
    await give('FIVEOFF', { amountOffCents: 500, currency: 'eur' });
    expect(await attempt()).toEqual(['made', 'made', 'made']);
    const sentTo = (at: string) =>
      vendor.calls.find(({ method, path: to }) => method === 'POST' && to === at)?.body;
    expect(sentTo('/discounts')).toMatchObject({
      ...{ type: 'flat', amount: '500', currency_code: 'EUR', recur: false, code: 'FIVEOFF' },
    });
    expect(sentTo('/v1/discounts')).toMatchObject({
      ...{ type: 'fixed', amount: 500, currency: 'eur', duration: 'once', code: 'FIVEOFF' },
    });
    expect(sentTo('/v1/coupons')).toMatchObject({
      ...{ amount_off: '500', currency: 'eur', duration: 'once' },
    });
    expect(sentTo('/v1/promotion_codes')).toMatchObject({ code: 'FIVEOFF' });
  });

  it('is queued with what asked for it, and each outcome is in the audit log', async () => {
    await connect('polar');
    vendor.set(vendors.polar.list, listed.polar(vendors.polar.same));
    await give('ANNA10', threeMonths);
    const work = await queryOne<{ mode: string }>(
      app.deps.db.manager,
      `SELECT o.payload ->> 'mode' AS mode FROM outbox AS o JOIN biller_codes AS b ON b.id::text = o.ref::text
        WHERE o.topic = 'biller_code' AND b.workspace_id = $1`,
      [scope.workspaceId],
    );
    expect(work).toEqual({ mode: 'test' });
    await attempt();
    const actions = await query<{ action: string }>(
      app.deps.db.manager,
      `SELECT action FROM audit_log WHERE workspace_id = $1 AND action LIKE 'promo_code.%'
        ORDER BY action`,
      [scope.workspaceId],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      'promo_code.created',
      'promo_code.made_at_biller',
    ]);
  });
});
