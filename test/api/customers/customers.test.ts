import { replayErasures } from '../../../activities/erasure/replay';
import { systemActor } from '../../../entities/rules/values/actor';
import { newId } from '../../../entities/ids';
import { findById } from '../../../entities/database/find';
import { Program } from '../../../entities/tables/programs/program.entity';
import { execute, query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { codeOf, type ApiResponse } from '../../support/api-client';
import { buildApiKey, buildMember } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import {
  buildReportingMerchant,
  type ReportingMerchant,
} from '../../support/shops/reporting-merchant';

const app = useApp();
let shop: ReportingMerchant;

beforeEach(async () => {
  shop = await buildReportingMerchant(app);
});

const db = () => app.deps.db.manager;
const path = '/api/v1/customers';

interface Customer {
  id: string | null;
  aliases: string[];
  attributed: boolean;
  attribution: { reason: string; participant_id: string | null };
  source: string;
  bound_at: string | null;
  first_paid_at: string | null;
}

const signUp = (fields: Record<string, unknown>) => shop.merchant.post<Customer>(path, fields);
const codeOfSignUp = async (fields: Record<string, unknown>) =>
  codeOf(await asRefusal(signUp(fields)));
const recurring = (months: number | null) =>
  execute(db(), 'UPDATE programs SET recurring = true, recurring_months = $2 WHERE id = $1', [
    shop.participant.programId,
    months,
  ]);
/** A sale by the customer alone. */
const sell = (fields: Record<string, unknown>) =>
  shop.report({ click_id: null, customer_id: 'user 1/a', ...fields });

describe('a sign-up (customers.md, What binds)', () => {
  it('binds the customer once, by the click, and is found by every id', async () => {
    const answer = await signUp({
      customer_id: 'user 1/a',
      click_id: shop.click.id,
      aliases: ['cus_1', 'cus_0'],
    });

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/api/v1/customers/user%201%2Fa');
    expect(answer.body).toMatchObject({
      customer_id: 'user 1/a',
      aliases: ['cus_0', 'cus_1'],
      attributed: true,
      attribution: { reason: 'ATTRIBUTED', matched_by: 'click', click_id: shop.click.id },
      source: 'signup',
      first_paid_at: null,
      mode: 'test',
    });
    for (const name of ['user 1/a', 'cus_0', 'cus_1']) {
      const found = await shop.merchant.get(`${path}/${encodeURIComponent(name)}`);
      expect(found.body).toMatchObject({
        id: answer.body.id,
        participant_id: shop.participant.id,
        program_id: shop.participant.programId,
        partner_name: 'Anna Partner',
        conversions: 0,
        revenue: [],
      });
    }
  });

  it('is answered with the first binding, whatever is sent later, and takes new ids', async () => {
    const first = await signUp({ customer_id: 'user 1/a', click_id: shop.click.id });
    const rival = await buildParticipant(db(), { program: await programOf(shop) });
    const click = await buildClick(db(), { participant: rival });

    const again = await signUp({ customer_id: 'user 1/a', click_id: click.id, aliases: ['cus_9'] });
    const bare = await signUp({ customer_id: 'user 1/a' });

    expect([again.status, bare.status]).toEqual([200, 200]);
    expect(again.body).toEqual({ ...first.body, aliases: ['cus_9'] });
    expect(bare.body).toEqual(again.body);
  });

  it('that nobody is credited for says why, and may be asked again', async () => {
    const unknown = await signUp({
      customer_id: 'user 1/a',
      click_id: newId(),
      aliases: ['cus_1'],
    });
    expect(unknown.status).toBe(200);
    expect(unknown.body).toMatchObject({
      id: null,
      aliases: ['cus_1'],
      attributed: false,
      attribution: { reason: 'CLICK_NOT_FOUND', participant_id: null },
      bound_at: null,
      first_paid_at: null,
    });
    expect(codeOf(await shop.merchant.get(`${path}/cus_1`))).toEqual([404, 'CUSTOMER_NOT_FOUND']);

    const good = await signUp({ customer_id: 'user 1/a', promo_code: shop.promoCode });
    expect(good.status).toBe(201);
    expect(good.body.aliases).toEqual(['cus_1']);
  });

  it('is judged at its own time', async () => {
    const before = new Date(shop.click.createdAt.getTime() - 1).toISOString();
    const early = await signUp({
      customer_id: 'user 1/a',
      click_id: shop.click.id,
      occurred_at: before,
    });
    expect(early.body.attribution.reason).toBe('CLICK_AFTER_CONVERSION');
    const at = new Date(shop.click.createdAt.getTime() + 1).toISOString();
    const good = await signUp({ customer_id: 'u', click_id: shop.click.id, occurred_at: at });
    expect(good.body.bound_at).toBe(at);
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    const late = await signUp({ customer_id: 'v', click_id: shop.click.id, occurred_at: ahead });
    expect([late.status, late.text]).toEqual([400, expect.stringContaining('occurred_at')]);
  });

  it('is judged by the fraud rules, at last', async () => {
    const { programId, workspaceId, partnerEmail } = shop.participant;
    const admin = await callerOf(
      app,
      await buildMember(db(), { workspaceId, role: 'admin' }),
      'test',
    );
    const rules = [{ rule: 'self_referral_email', action: 'reject' }];
    await admin.put(`/api/v1/programs/${programId}/fraud-rules`, { rules });
    const own = { customer_id: 'user 1/a', click_id: shop.click.id, prospect_email: partnerEmail };
    const refused = await signUp(own);
    expect([refused.status, refused.body.attribution]).toEqual([
      200,
      expect.objectContaining({ reason: 'FRAUD_REJECTED', click_id: shop.click.id }),
    ]);
    expect((await signUp({ ...own, prospect_email: 'buyer@shop.example' })).status).toBe(201);
  });

  it('takes null and empty text for what is left out', async () => {
    const empty = { click_id: '', aliases: null, occurred_at: null, prospect_email: null };
    const bound = await signUp({ customer_id: 'u', promo_code: shop.promoCode, ...empty });
    expect([bound.status, bound.body.aliases]).toEqual([201, []]);
    const none = { customer_id: 'v', click_id: null, promo_code: '' };
    expect(await codeOfSignUp(none)).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
  });

  it.each(['guest', 'undefined', '${user.id}', '%ID%', ' n/a\u200b'])(
    'is refused for %j, which names nobody, and leaves it out of the aliases',
    async (name) => {
      const refused = await asRefusal(signUp({ customer_id: name, click_id: shop.click.id }));
      expect(refused.body.code).toBe('VALIDATION_ERROR');
      expect(refused.body['details']).toEqual([expect.objectContaining({ field: 'customer_id' })]);
      const bound = await signUp({
        customer_id: 'u',
        click_id: shop.click.id,
        aliases: [name, 'cus_1'],
        prospect_email: 'no address',
      });
      expect([bound.status, bound.body.aliases]).toEqual([201, ['cus_1']]);
    },
  );

  it('is known by its id without what nobody sees at the ends, wherever that is told', async () => {
    const fields = { customer_id: '\ufeffuser 9 ', aliases: ['\u200bcus_9\t'] };
    const bound = await signUp({ ...fields, click_id: shop.click.id, occurred_at: '' });
    expect(bound.headers.get('location')).toBe('/api/v1/customers/user%209');
    expect(bound.body.aliases).toEqual(['cus_9']);
    const found = await shop.merchant.get(`${path}/${encodeURIComponent(' cus_9\u2060')}`);
    expect(found.body).toMatchObject({ id: bound.body.id, customer_id: 'user 9' });
    const sold = await sell({ customer_id: 'user 9\u200b' });
    expect(sold.body.attribution).toMatchObject({ matched_by: 'customer' });
  });

  it('is refused without a signal, with one of the other mode, with an id that is taken', async () => {
    await signUp({ customer_id: 'user 1/a', click_id: shop.click.id, aliases: ['cus_1'] });
    const live = await buildParticipant(db(), {
      workspaceId: shop.participant.workspaceId,
      mode: 'live',
    });
    const click = await buildClick(db(), { participant: live });
    const good = { click_id: shop.click.id };

    expect(await codeOfSignUp({ customer_id: 'b' })).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
    const other = { customer_id: 'b', click_id: click.id };
    expect(await codeOfSignUp(other)).toEqual([422, 'MODE_MISMATCH']);
    const beside = { ...other, promo_code: shop.promoCode };
    expect(await codeOfSignUp(beside)).toEqual([422, 'MODE_MISMATCH']);
    const taken = [409, 'CUSTOMER_ALIAS_TAKEN'];
    expect(await codeOfSignUp({ customer_id: 'b', aliases: ['cus_1'], ...good })).toEqual(taken);
    expect(await codeOfSignUp({ customer_id: 'cus_1', ...good })).toEqual(taken);
    expect(await codeOfSignUp({ customer_id: 'b', aliases: ['user 1/a'], ...good })).toEqual(taken);
    expect((await shop.merchant.get(path)).body['total']).toBe(1);
  });

  it('that did not hold keeps no id from another customer', async () => {
    const good = { promo_code: shop.promoCode };
    await signUp({ customer_id: 'a', click_id: newId(), aliases: ['shared', 'b'] });
    await signUp({ customer_id: 'c', ...good, aliases: ['of c'] });

    expect((await signUp({ customer_id: 'b', aliases: ['shared'], ...good })).status).toBe(201);
    const found = await shop.merchant.get<Customer>(`${path}/shared`);
    expect(found.body).toMatchObject({ customer_id: 'b' });
    expect((await signUp({ customer_id: 'a', ...good })).status).toBe(201);
    const taken = { customer_id: 'd', aliases: ['of c'], ...good };
    expect(await codeOfSignUp(taken)).toEqual([409, 'CUSTOMER_ALIAS_TAKEN']);
  });

  it('of two hundred at once is made once', async () => {
    // Some are answered 503 by a busy machine, having stored nothing: a client sends those again.
    const untilAnswered = async (): Promise<ApiResponse<Customer>> => {
      const fields = { customer_id: 'user 1/a', click_id: shop.click.id, aliases: ['cus_1'] };
      const answer = await signUp(fields);
      return answer.status === 503 ? untilAnswered() : answer;
    };
    const answers = await Promise.all(Array.from({ length: 200 }, untilAnswered));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(199);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it('names the fields that are wrong', async () => {
    const many = await signUp({ customer_id: 'u', aliases: ['1', '2', '3', '4', '5', '6'] });
    const none = await signUp({ customer_id: '' });
    const odd = await signUp({ customer_id: 'u', aliases: [''], click_id: 7 });
    expect([many.status, none.status, odd.status]).toEqual([400, 400, 400]);
    expect([many.text, none.text]).toEqual([
      expect.stringContaining('aliases'),
      expect.stringContaining('customer_id'),
    ]);
    expect(odd.text).toMatch(/aliases.*click_id|click_id.*aliases/s);
  });

  it('keeps 50 aliases of a customer, and refuses one more', async () => {
    const customer_id = 'user 1/a';
    const aliases = (from: number) => [0, 1, 2, 3, 4].map((nth) => `alias-${from + nth}`);
    await signUp({ customer_id, click_id: shop.click.id });
    for (let from = 0; from < 50; from += 5) await signUp({ customer_id, aliases: aliases(from) });

    const kept = await signUp({ customer_id, aliases: aliases(45) });
    expect([kept.status, kept.body.aliases.length]).toEqual([200, 50]);
    expect(await codeOfSignUp({ customer_id, aliases: ['alias-50'] })).toEqual([
      422,
      'CUSTOMER_ALIAS_LIMIT',
    ]);
  });
});

describe('a sale of a bound customer (customers.md, What earns)', () => {
  beforeEach(async () => {
    const occurred_at = new Date(shop.click.createdAt.getTime() + 1).toISOString();
    await signUp({
      customer_id: 'user 1/a',
      click_id: shop.click.id,
      aliases: ['cus_1'],
      occurred_at,
    });
  });

  it('needs no more than the customer, and tells the months in its trace', async () => {
    const sale = await sell({ customer_id: 'cus_1' });
    expect(sale.status).toBe(201);
    expect(sale.body).toMatchObject({
      attributed: true,
      attribution: {
        matched_by: 'customer',
        participant_id: shop.participant.id,
        window_ends_at: null,
      },
      commission: { status: 'pending' },
    });
    const decision = await shop.merchant.get(`/api/v1/attribution/decisions/${sale.body.id}`);
    expect(decision.body['trace']).toMatchObject({
      candidates: [
        {
          signal: 'customer',
          outcome: 'HOLDS',
          customer: { source: 'signup', first_paid_at: null, months: 0 },
        },
      ],
    });
    const found = await shop.merchant.get(`${path}/user%201%2Fa`);
    expect(found.body).toMatchObject({
      first_paid_at: sale.body.occurred_at,
      conversions: 1,
      revenue: [{ currency: 'usd', amount_cents: 4_900 }],
    });
  });

  it('earns once without recurring terms, and is attributed all the same', async () => {
    const [first, second] = [await sell({}), await sell({})];
    expect(first.body.commission).not.toBeNull();
    expect(second.body).toMatchObject({ attributed: true, commission: null });
  });

  it('earns twelve of thirteen monthly payments under recurringMonths 12', async () => {
    await recurring(12);
    const months = Array.from({ length: 13 }, (_, month) =>
      new Date(Date.UTC(2026, month, 15)).toISOString(),
    );
    await execute(db(), `UPDATE customers SET bound_at = '2025-12-01' WHERE workspace_id = $1`, [
      shop.participant.workspaceId,
    ]);
    app.deps.clock.set(new Date('2027-02-01'));
    try {
      const earned: boolean[] = [];
      for (const occurred_at of months) {
        earned.push((await sell({ occurred_at })).body.commission !== null);
      }
      expect(earned).toEqual([...Array.from({ length: 12 }, () => true), false]);
      const decisions = '/api/v1/attribution/decisions';
      const newest = await shop.merchant.get<{ data: { conversion_id: string }[] }>(decisions);
      const last = newest.body.data[0]?.conversion_id ?? '';
      expect((await shop.merchant.get(`${decisions}/${last}`)).body['trace']).toMatchObject({
        candidates: [{ signal: 'customer', customer: { first_paid_at: months[0], months: 12 } }],
      });
    } finally {
      app.deps.clock.set(undefined);
    }
  });

  it('without an amount is not the first payment', async () => {
    const free = await sell({ amount_cents: 0, currency: null });
    expect(free.body).toMatchObject({ attributed: true, commission: null });
    expect((await sell({})).body.commission).not.toBeNull();
  });

  it('is the first of those that come at once, just once', async () => {
    const sales = await Promise.all(Array.from({ length: 20 }, () => sell({})));
    expect(sales.map(({ status }) => status)).toEqual(sales.map(() => 201));
    expect(sales.filter(({ body }) => body.commission !== null)).toHaveLength(1);
  });

  it('goes by the click that holds, and keeps the binding', async () => {
    const rival = await buildParticipant(db(), { program: await programOf(shop) });
    const click = await buildClick(db(), { participant: rival });
    const sale = await sell({ click_id: click.id });
    expect(sale.body.attribution).toMatchObject({
      matched_by: 'click',
      participant_id: rival.id,
    });
    const found = await shop.merchant.get(`${path}/user%201%2Fa`);
    expect(found.body['participant_id']).toBe(shop.participant.id);
  });

  it('stands in for a click that does not hold', async () => {
    const sale = await sell({ click_id: newId() });
    expect(sale.body).toMatchObject({ attributed: true, attribution: { matched_by: 'customer' } });
  });

  it('before the binding has no signal', async () => {
    const occurred_at = new Date(shop.click.createdAt.getTime()).toISOString();
    expect(codeOf(await asRefusal(sell({ occurred_at })))).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
  });

  it.each([
    ['PARTNER_NOT_APPROVED', `UPDATE participants SET status = 'suspended' WHERE program_id = $1`],
    ['PROGRAM_NOT_ACTIVE', `UPDATE programs SET status = 'paused' WHERE id = $1`],
  ])('fails as its partner or programme does: %s', async (reason, change) => {
    await execute(db(), change, [shop.participant.programId]);
    const sale = await sell({});
    expect(sale.body).toMatchObject({
      attributed: false,
      attribution: { reason, matched_by: 'customer' },
      commission: null,
    });
  });

  it('earns by the terms of now', async () => {
    await execute(db(), 'UPDATE programs SET rate_bps = 500 WHERE id = $1', [
      shop.participant.programId,
    ]);
    expect((await sell({})).body.commission).toMatchObject({ amount_cents: 245 });
  });
});

it('a sale binds the customer that it names, once', async () => {
  expect(codeOf(await asRefusal(sell({})))).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
  const first = await sell({ click_id: shop.click.id });
  const second = await sell({});
  expect(second.body).toMatchObject({ attributed: true, commission: null });
  const found = await shop.merchant.get<Customer>(`${path}/user%201%2Fa`);
  expect(found.body).toMatchObject({
    source: 'conversion',
    bound_at: first.body.occurred_at,
    first_paid_at: first.body.occurred_at,
    conversions: 2,
  });
});

it('customers are listed, the last bound first, by partner, programme and source', async () => {
  const rival = await buildParticipant(db(), { program: await programOf(shop) });
  const click = await buildClick(db(), { participant: rival });
  await signUp({ customer_id: 'first', click_id: shop.click.id });
  await signUp({ customer_id: 'second', click_id: click.id });
  await sell({ click_id: shop.click.id, customer_id: 'third' });
  const list = async (query: string) => {
    const { body } = await shop.merchant.get<{ data: Record<string, unknown>[]; total: number }>(
      `${path}?${query}`,
    );
    return [body.total, ...body.data.map((customer) => customer['customer_id'])];
  };

  const { programId, id } = shop.participant;
  expect(await list('')).toEqual([3, 'third', 'second', 'first']);
  expect(await list('page=2&limit=2')).toEqual([3, 'first']);
  expect(await list(`participant_id=${id}`)).toEqual([2, 'third', 'first']);
  expect(await list('source=conversion')).toEqual([1, 'third']);
  expect(await list(`program_id=${programId}&source=signup`)).toEqual([2, 'second', 'first']);
  expect(await list(`program_id=${newId()}`)).toEqual([0]);
  expect((await shop.merchant.get(`${path}?source=hand`)).status).toBe(400);
});

describe('members (customers.md, By hand)', () => {
  const members = () => `/api/v1/programs/${shop.participant.programId}/customers`;
  const memberOf = async (role: 'admin' | 'viewer') => {
    const { workspaceId } = shop.participant;
    return callerOf(app, await buildMember(db(), { workspaceId, role }), 'test');
  };

  it('see whose a customer was when', async () => {
    await sell({ click_id: shop.click.id });
    const rival = await buildParticipant(db(), { program: await programOf(shop) });
    const admin = await memberOf('admin');
    const body = { participantId: rival.id, reason: 'asked' };
    await admin.put(`${members()}/user%201%2Fa`, body);
    const { body: record } = await shop.merchant.get<{ bindings: object[] }>(
      `${path}/user%201%2Fa`,
    );
    expect(record.bindings).toMatchObject([
      { participant_id: shop.participant.id, source: 'conversion' },
      { participant_id: rival.id, source: 'manual', until: null },
    ]);
    const { partnerName } = rival;
    const listed = await admin.get<{ data: { bindings: object[] }[] }>(members());
    expect(listed.body.data[0]?.bindings).toMatchObject([
      { participantId: shop.participant.id, reason: null },
      { participantId: rival.id, partnerName, source: 'manual', reason: 'asked', until: null },
    ]);
  });

  it('with a key of one programme take no customer of another one', async () => {
    await sell({ click_id: shop.click.id });
    const { workspaceId, mode } = shop.participant;
    const program = await buildProgram(db(), { workspaceId, mode });
    const own = await buildParticipant(db(), { program });
    const { key } = await buildApiKey(db(), {
      ...{ kind: 'management', role: 'admin', mode, workspaceId },
      programId: program.id,
    });
    const customer = `/api/v1/programs/${program.id}/customers/user%201%2Fa`;
    const body = { participantId: own.id, reason: 'ours' };
    const refused = await app.client.as(key).put(customer, body);
    expect(codeOf(refused)).toEqual([403, 'FORBIDDEN']);
    expect((await app.client.as(key).delete(customer)).status).toBe(404);
  });

  it('see who brought whom, and bind anew: what is paid afterwards goes there', async () => {
    await recurring(null);
    const first = await sell({ click_id: shop.click.id });
    const rival = await buildParticipant(db(), {
      program: await programOf(shop),
      partnerName: 'Rita Rival',
    });
    const [admin, viewer] = [await memberOf('admin'), await memberOf('viewer')];
    const listed = await viewer.get<{ data: object[]; total: number }>(
      `${members()}?customerId=user%201%2Fa&source=conversion`,
    );
    expect(listed.body).toMatchObject({
      total: 1,
      data: [{ customerId: 'user 1/a', participantId: shop.participant.id, conversions: 1 }],
    });

    const reason = 'Told us on the phone';
    const bound = await admin.put(`${members()}/user%201%2Fa`, { participantId: rival.id, reason });
    expect(bound.status).toBe(200);
    expect(bound.body).toMatchObject({
      partnerName: 'Rita Rival',
      source: 'manual',
      firstPaidAt: first.body.occurred_at,
    });
    const next = await sell({});
    expect(next.body.attribution.participant_id).toBe(rival.id);
    expect(next.body.commission).not.toBeNull();
    const audit = await admin.get<{ data: { action: string }[] }>('/api/v1/workspace/audit-log');
    const [from, to] = [shop.participant.id, rival.id];
    expect(audit.body.data[0]).toMatchObject({ action: 'customer.bound', from, to });
    const told = await query<{ participantId: string; body: string }>(
      db(),
      `SELECT participant_id AS "participantId", body FROM notifications
        WHERE type = 'customer.lost' AND workspace_id = $1`,
      [shop.participant.workspaceId],
    );
    expect(told).toEqual([{ participantId: from, body: expect.stringContaining('stays yours') }]);
  });

  it('bind who is not known yet, unbind, and are refused what is not there', async () => {
    const [admin, viewer] = [await memberOf('admin'), await memberOf('viewer')];
    const url = `${members()}/user%201%2Fa`;
    const body = { participantId: shop.participant.id, reason: 'known' };
    expect((await viewer.put(url, body)).status).toBe(403);
    expect((await admin.put(url, body)).status).toBe(200);
    expect((await sell({})).body.attributed).toBe(true);
    expect((await admin.delete(url)).status).toBe(204);
    const audit = await admin.get<{ data: { action: string }[] }>('/api/v1/workspace/audit-log');
    const from = shop.participant.id;
    expect(audit.body.data[0]).toMatchObject({ action: 'customer.unbound', from, to: null });
    const long = await admin.put(`${members()}/${'x'.repeat(256)}`, body);
    expect([long.status, long.text]).toEqual([400, expect.stringContaining('customerId')]);
    expect(codeOf(await admin.delete(url))).toEqual([404, 'CUSTOMER_NOT_FOUND']);
    expect(codeOf(await asRefusal(sell({})))).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);

    const nobody = { participantId: newId(), reason: 'known' };
    expect(codeOf(await admin.put(url, nobody))).toEqual([404, 'PARTICIPANT_NOT_FOUND']);
    const pending = await buildParticipant(db(), {
      program: await programOf(shop),
      status: 'pending',
    });
    const refused = await admin.put(url, { participantId: pending.id, reason: 'known' });
    expect(codeOf(refused)).toEqual([409, 'PARTICIPANT_NOT_APPROVED']);
  });

  it('neither bind nor unbind under an archived programme', async () => {
    await sell({ click_id: shop.click.id });
    const admin = await memberOf('admin');
    await admin.post(`/api/v1/programs/${shop.participant.programId}/archive`, {});
    const url = `${members()}/user%201%2Fa`;
    const body = { participantId: shop.participant.id, reason: 'known' };

    expect(codeOf(await admin.put(url, body))).toEqual([409, 'PROGRAM_ARCHIVED']);
    expect(codeOf(await admin.delete(url))).toEqual([409, 'PROGRAM_ARCHIVED']);
    expect(codeOf(await admin.delete(`${members()}/nobody`))).toEqual([404, 'CUSTOMER_NOT_FOUND']);
  });
});

function programOf({ participant }: ReportingMerchant): Promise<Program> {
  return findById(db(), Program, participant.programId) as Promise<Program>;
}

async function asRefusal(answer: Promise<ApiResponse<unknown>>): Promise<ApiResponse> {
  return (await answer) as ApiResponse;
}

describe('the erasure of the partner who brought a customer', () => {
  it('leaves the binding, which then fails as PARTNER_ERASED', async () => {
    await signUp({ customer_id: 'user 1/a', click_id: shop.click.id });
    expect((await sell({})).body).toMatchObject({ attributed: true });

    const subject = { kind: 'participant', subjectId: shop.participant.id } as const;
    const cause = { actor: systemActor, now: new Date() };
    expect(await replayErasures(app.deps, cause, [subject])).toBe(1);

    const { body } = await sell({});
    expect(body).toMatchObject({
      attributed: false,
      attribution: { reason: 'PARTNER_ERASED', matched_by: 'customer' },
      commission: null,
    });
    const found = await shop.merchant.get(`${path}/${encodeURIComponent('user 1/a')}`);
    expect(found.body).toMatchObject({ participant_id: shop.participant.id });
  });
});
