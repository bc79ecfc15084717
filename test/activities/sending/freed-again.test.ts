import { createPayout } from '../../../activities/payouts/payouts';
import { query } from '../../../entities/database/sql';
import { advance, later, statusesOf } from '../../support/paypal/shop';
import { errorOf, refused, type Mood } from '../../support/paypal/stand-in';
import { systemCause } from '../../../activities/journal/cause';
import { hour, markFirst, resolve, usePayPal } from '../../support/paypal/suite';

/** Ways by which money that may be out would be free for the next payout. */
const { app, paypal, sent, sentAgain, noteRestore, vanished } = usePayPal();
const exists = { details: [{ field: 'SENDER_BATCH_ID', issue: 'exists' }] };

const commissionOf = (payout: { id: string }) =>
  query(
    app.deps.db.manager,
    `SELECT c.status, c.payout_id AS "payoutId" FROM commissions AS c
       JOIN payout_lines AS l ON l.commission_id = c.id WHERE l.payout_id = $1`,
    [payout.id],
  );

it.each<[string, Mood[], Mood[]]>([
  ['then refused', [refused], []],
  ['then a token that is refused', [], [{ status: 401, body: {} }]],
  ['then no token', [], [{ status: 500, body: {} }]],
])('a 401 that tells of a batch, %s, leaves a doubt', async (_how, more, token) => {
  const { shop, payout } = await sent();
  const told: Mood = { status: 401, body: errorOf('AUTHENTICATION_FAILURE', { ...exists }) };
  paypal.moods.send = [told, ...more];
  paypal.onCall = (kind) => {
    if (kind === 'send' && paypal.countOf('send') <= 1) paypal.moods.token = token;
  };
  await advance(app, payout);
  paypal.onCall = undefined;
  expect(await statusesOf(shop, payout)).toEqual(['sending']);
  const [batch] = await query<{ isInDoubt: boolean }>(
    app.deps.db.manager,
    'SELECT is_in_doubt AS "isInDoubt" FROM payout_batches WHERE payout_id = $1',
    [payout.id],
  );
  expect(batch).toEqual({ isInDoubt: true });
});

it('what may be paid twice is not freed by a mark of somebody who has not looked', async () => {
  const { shop, payout, payment } = await sentAgain([refused]);
  paypal.books.sayOf(payment, 'PENDING');
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['ready!twice']);
  expect((await markFirst(shop, payout, { status: 'failed' })).status).toBe(409);
});

it('what a restore made doubtful is not freed by such a mark', async () => {
  const { shop, payout } = await vanished();
  await noteRestore();
  await resolve(shop, payout, { nothingSent: true });
  expect(await statusesOf(shop, payout)).toEqual(['ready!restored']);
  expect((await markFirst(shop, payout, { status: 'failed' })).status).toBe(409);
});

it('what failed by a later batch is in no new payout while an earlier one has paid it', async () => {
  const { shop, payout, payment, reference } = await sentAgain();
  const second = paypal.books.itemsOf(reference).at(-1)!;
  paypal.books.sayOf(second, 'RETURNED');
  paypal.books.sayOf(payment, 'SUCCESS');
  await later(app, payout, 7 * hour);
  const seen = await statusesOf(shop, payout);
  const commissions = await commissionOf(payout);
  expect({ seen, commissions }).toEqual({
    seen: ['paid!twice'],
    commissions: [{ status: 'paid', payoutId: payout.id }],
  });
});

it('what failed by a later batch, and was paid by an earlier one, is payable by no new payout', async () => {
  const { shop, payout, payment, reference } = await sentAgain();
  paypal.books.sayOf(paypal.books.itemsOf(reference).at(-1)!, 'RETURNED');
  paypal.books.sayOf(payment, 'SUCCESS');
  await later(app, payout, 7 * hour);
  const [about] = await query<{ workspaceId: string }>(
    app.deps.db.manager,
    'SELECT workspace_id AS "workspaceId" FROM payouts WHERE id = $1',
    [payout.id],
  );
  const scope = { workspaceId: about?.workspaceId ?? '', mode: 'live' as const };
  const context = { ...systemCause(app.deps.clock.now()), scope };
  const program = { id: shop.programId, currency: 'usd', minPayoutCents: 0 };
  await expect(
    createPayout(app.deps.db.manager, context, { program } as never),
  ).rejects.toMatchObject({ code: 'PAYOUT_EMPTY' });
});

it('what the bank paid stays paid when PayPal, which named no transaction, gives its own back', async () => {
  const { shop, payout, payment } = await vanished();
  const mark = { status: 'paid', confirmChecked: true, transactionId: 'by the bank' };
  expect((await markFirst(shop, payout, mark)).status).toBe(200);
  payment.isUnlisted = false;
  paypal.books.sayOf(payment, 'SUCCESS');
  Object.assign(payment, { transactionId: null });
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).toEqual(['paid!twice']);
  expect((await markFirst(shop, payout, { status: 'paid', confirmChecked: true })).status).toBe(
    200,
  );
  paypal.books.sayOf(payment, 'RETURNED');
  await later(app, payout, 7 * hour);
  expect(await statusesOf(shop, payout)).not.toEqual(['returned']);
});
