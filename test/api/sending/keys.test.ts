import { buildApiKey, buildMember, signIn } from '../../support/build/accounts';
import type { Caller } from '../../support/api-client';
import { advance, batchesOf, compareBooks, later, statusesOf } from '../../support/paypal/shop';
import { hour, usePayPal } from '../../support/paypal/suite';

/** Money leaves by a person with a second factor, and by nobody else. */
const { app, paypal, sent } = usePayPal();
afterEach(async () => {
  expect(await compareBooks(app, paypal)).toEqual([]);
});

type Method = 'get' | 'put' | 'delete' | 'patch' | 'post';

/** The command for a batch of which nobody knows, with a code that would be good. */
async function story() {
  const { shop, payout } = await sent();
  paypal.moods.send = [{ silence: 'before' }];
  await advance(app, payout);
  await later(app, payout, 73 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['sending!unanswered']);
  const [batch] = await batchesOf(shop, payout);
  const ready = await shop.payout();
  const code = shop.code();
  const expected = { items: 1, amountCents: 2_000 };
  const providers = '/api/v1/workspace/payout-providers';
  const secret = { clientId: 'client-of-the-shop', clientSecret: 'secret-of-the-shop' };
  const limits = [{ currency: 'usd', amountCents: 1 }];
  const requests: [Method, string, object?][] = [
    ['post', `/api/v1/payouts/${ready.id}/send`, { provider: 'paypal', dryRun: true }],
    ['post', `/api/v1/payouts/${ready.id}/send`, { provider: 'paypal', expected, code }],
    [
      'post',
      `/api/v1/payouts/${payout.id}/batches/${String(batch?.['id'])}/resolve`,
      { nothingSent: true, code },
    ],
    ['get', providers],
    ['put', `${providers}/paypal`, { ...secret, code }],
    ['delete', `${providers}/paypal`],
    ['patch', '/api/v1/workspace', { payoutDailyLimits: limits, code }],
    ['patch', '/api/v1/workspace', { payoutApproval: 'one', code }],
  ];
  return { shop, payout, ready, requests };
}

async function answersOf(caller: Caller, requests: [Method, string, object?][]) {
  const answers: unknown[] = [];
  for (const [method, path, body] of requests) {
    const { status, body: answer } = await (method === 'get'
      ? caller.get(path)
      : caller[method](path, body));
    answers.push([status, answer['code']]);
  }
  return answers;
}

it('a management key neither sends, resolves, connects nor sets limits, whatever code it has', async () => {
  const { shop, payout, ready, requests } = await story();
  const { workspaceId } = shop.member;
  const { key } = await buildApiKey(app.deps.db.manager, {
    ...{ workspaceId, kind: 'management', mode: 'live', role: 'admin' },
  });

  const answers = await answersOf(app.client.as(key, 'live'), requests);

  expect(answers).toEqual(requests.map(() => [403, 'FORBIDDEN']));
  expect(await statusesOf(shop, payout)).toEqual(['sending!unanswered']);
  expect(await statusesOf(shop, ready)).toEqual(['ready']);
});

it('a management key marks no item that is on its way, where nobody is asked to check it', async () => {
  const { shop, payout } = await sent();
  const { workspaceId } = shop.member;
  const { key } = await buildApiKey(app.deps.db.manager, {
    ...{ workspaceId, kind: 'management', mode: 'live', role: 'admin' },
  });
  const path = `/api/v1/payouts/${payout.id}/items/${payout.items[0]?.id}/mark`;
  const mark = { status: 'failed', confirmChecked: true };
  const { status, body } = await app.client.as(key, 'live').post(path, mark);
  expect([status, body['code']]).toEqual([409, 'PAYOUT_ITEM_SENDING']);
  expect(await statusesOf(shop, payout)).toEqual(['sending']);
  await advance(app, payout);
  paypal.books.payAll();
  await later(app, payout, hour);
});

it('a person without a second factor does none of it', async () => {
  const { shop, payout, ready, requests } = await story();
  const { workspaceId } = shop.member;
  const member = await buildMember(app.deps.db.manager, { workspaceId, role: 'owner' });
  const { accessToken } = await signIn(app.deps, member);
  const withCode = requests.filter(([, , body]) => body && 'code' in body);

  const answers = await answersOf(app.client.as(accessToken, 'live'), withCode);

  expect(answers).toEqual(withCode.map(() => [403, 'TWO_FACTOR_SETUP_REQUIRED']));
  expect(await statusesOf(shop, payout)).toEqual(['sending!unanswered']);
  expect(await statusesOf(shop, ready)).toEqual(['ready']);
});
