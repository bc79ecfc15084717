import { applyInTransaction } from '../../../../activities/billing/payments/apply';
import { execute } from '../../../../entities/database/sql';
import { newId } from '../../../../entities/ids';
import { readStripeFacts } from '../../../../entities/rules/stripe/read-event';
import { bindByHand, unbindByHand } from '../../../../activities/purchases/bind-by-hand';
import { findCustomer } from '../../../../activities/customers/find';
import { signUpCustomer } from '../../../../activities/purchases/sign-up';
import { systemActor } from '../../../../entities/rules/values/actor';
import { useDeps } from '../../../support/app';
import { eventually } from '../../../support/eventually';
import { waitsForLock } from '../../../support/faults/waits-for-lock';
import { buildClick } from '../../../support/build/clicks';
import { buildReport, recordConversion } from '../../../support/build/conversions';
import { buildParticipant } from '../../../support/build/programs';
import { checkoutCompleted, invoicePaid, stripeId } from '../../../support/stripe/events';
import type { StripeTestEvent } from '../../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';

const deps = useDeps();

const date = (text: string): Date => new Date(`${text}T12:00:00Z`);
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);
const db = () => deps.db.manager;
const contextOf = ({ scope }: StripeShop, now: Date) => ({
  scope,
  now,
  actor: systemActor,
  requestId: undefined,
});

/** Signs a customer up by a click of the shop's partner. */
async function signUp(shop: StripeShop, customerId: string, aliases: string[] = []) {
  return signUpBy(shop, await shop.click(date('2026-01-01')), { customerId, aliases });
}

function signUpBy(
  shop: StripeShop,
  clickId: string,
  names: { customerId: string; aliases: string[] },
) {
  const at = date('2026-01-02');
  const signals = { clickId, promoCode: null, prospect: null, occurredAt: at };
  return signUpCustomer(db(), contextOf(shop, at), { ...names, ...signals });
}

it('a checkout without a signal is the first payment of a customer who signed up', async () => {
  const shop = await buildStripeShop(deps, { recurring: true });
  const [customer, later] = [stripeId('cus'), date('2026-02-01')];
  await signUp(shop, 'user-1');

  await shop.send(checkoutCompleted({ customer, reference: 'user-1', at: later, amount: 5_000 }));
  await shop.send(checkoutCompleted({ customer, at: date('2026-03-01'), amount: 5_000 }));

  expect(await read(shop)).toMatchObject([
    {
      eventType: 'purchase',
      participantId: shop.participant.id,
      commission: { amountCents: 1_000 },
    },
    {
      eventType: 'renewal',
      participantId: shop.participant.id,
      commission: { amountCents: 1_000 },
    },
  ]);
});

it('binds a customer of Stripe by its id, and a name of the merchant leads there by metadata', async () => {
  const shop = await buildStripeShop(deps, { recurring: true });
  const [customer, other] = [stripeId('cus'), stripeId('cus')];
  const click = await shop.click(date('2026-01-01'));
  await shop.send(checkoutCompleted({ customer, click, at: date('2026-01-02') }));
  expect(await findCustomer(db(), shop.scope, { name: customer })).toMatchObject({
    customerId: customer,
    source: 'stripe',
    participantId: shop.participant.id,
    boundAt: date('2026-01-02'),
    firstPaidAt: date('2026-01-02'),
  });

  await signUp(shop, 'user-1');
  const metadata = { customer_id: 'user-1' };
  await shop.send(
    checkoutCompleted({ customer: other, at: date('2026-02-01'), object: { metadata } }),
  );
  expect(await findCustomer(db(), shop.scope, { name: other })).toMatchObject({
    customerId: 'user-1',
    aliases: [other],
    conversions: 1,
  });
});

it('what was paid before the sign-up was told is credited once it is', async () => {
  const shop = await buildStripeShop(deps);
  const customer = stripeId('cus');
  const ids = { customer, subscription: stripeId('sub') };
  await shop.send(checkoutCompleted({ customer, at: date('2025-12-01') }));
  await shop.send(invoicePaid({ ...ids, paidAt: date('2026-02-01') }));
  expect(await read(shop)).toHaveLength(0);

  await signUp(shop, 'user-1', [customer]);
  await shop.followUp();

  expect(await read(shop)).toMatchObject([{ eventType: 'purchase', attributed: true }]);
});

it('what was paid under an id that nobody had yet is credited once a sign-up names the id', async () => {
  const shop = await buildStripeShop(deps);
  const customer = stripeId('cus');
  await signUp(shop, 'user-1');
  await shop.send(
    invoicePaid({ customer, subscription: stripeId('sub'), paidAt: date('2026-02-01') }),
  );
  expect(await shop.statuses()).toEqual(['ignored']);

  await signUp(shop, 'user-1', [customer]);
  await shop.followUp();

  expect(await read(shop)).toMatchObject([{ eventType: 'purchase', attributed: true }]);
});

it('what was paid under an id of Stripe is credited once a later checkout leads there from the merchant’s id', async () => {
  const shop = await buildStripeShop(deps, { recurring: true });
  const customer = stripeId('cus');
  await signUp(shop, 'user-1');
  await shop.send(
    invoicePaid({ customer, subscription: stripeId('sub'), paidAt: date('2026-02-01') }),
  );
  const checkout = { customer, reference: 'user-1', at: date('2026-03-01') };
  await shop.send(checkoutCompleted(checkout));

  expect((await read(shop)).map(({ attributed }) => attributed)).toEqual([true, true]);
});

describe('a sign-up beside a payment that is applied at that moment', () => {
  const customerId = 'user-1';

  /** Signs up while an event is applied, and ends the event's transaction once it is waited for. */
  async function signUpBeside(
    shop: StripeShop,
    event: StripeTestEvent,
    names: { customerId: string; aliases: string[] },
  ) {
    const click = await shop.click(date('2026-01-01'));
    const facts = readStripeFacts(event, date('2026-02-01').toISOString());
    if (!facts) throw new Error('an event without facts');
    let commit = (): void => undefined;
    const isWaitedFor = new Promise<void>((resolve) => void (commit = resolve));
    const applied = new Promise<void>((resolve, reject) => {
      const then = (): Promise<void> => (resolve(), isWaitedFor);
      const command = { biller: 'stripe' as const, facts, prospect: null, then };
      applyInTransaction(db(), contextOf(shop, date('2026-02-01')), command).catch(reject);
    });
    await applied;
    const signedUp = signUpBy(shop, click, names);
    await Promise.race([signedUp, eventually(() => waitsForLock(db()))]);
    commit();
    return signedUp;
  }

  it.each([
    { names: 'the customer of Stripe', isTold: false },
    { names: 'whom an earlier sign-up without a click named so', isTold: true },
  ])('waits for it, and finds it: it names $names', async ({ isTold }) => {
    const shop = await buildStripeShop(deps);
    const customer = stripeId('cus');
    const aliases = [customer];
    if (isTold) await signUpBy(shop, newId(), { customerId, aliases });
    const paid = { customer, subscription: stripeId('sub'), paidAt: date('2026-02-01') };
    await signUpBeside(shop, invoicePaid(paid), { customerId, aliases: isTold ? [] : aliases });
    await shop.followUp();

    expect(await read(shop)).toMatchObject([{ eventType: 'purchase', attributed: true }]);
  });

  it('binds the customer when it comes first by its time, though a payment was told before', async () => {
    const shop = await buildStripeShop(deps);
    const rival = await buildParticipant(db(), { program: shop.program });
    const { id: click } = await buildClick(db(), { participant: rival, at: date('2026-01-30') });
    const customer = stripeId('cus');
    await signUpBy(shop, newId(), { customerId, aliases: [customer] });

    const checkout = checkoutCompleted({ customer, click, at: date('2026-02-01') });
    const { kind } = await signUpBeside(shop, checkout, { customerId, aliases: [] });

    expect(kind).toBe('known');
    const found = await findCustomer(db(), shop.scope, { name: customerId });
    expect(found).toMatchObject({ participantId: shop.participant.id, source: 'signup' });
  });
});

it('what was paid in the second of the sign-up, and told before it, is credited once the sign-up is told', async () => {
  const shop = await buildStripeShop(deps);
  const customer = stripeId('cus');
  const second = date('2026-01-02');
  await shop.send(invoicePaid({ customer, subscription: stripeId('sub'), paidAt: second }));
  const clickId = await shop.click(date('2026-01-01'));
  const signals = { clickId, promoCode: null, prospect: null };
  const occurredAt = new Date(second.getTime() + 400);
  const command = { customerId: 'user-1', aliases: [customer], ...signals, occurredAt };
  await signUpCustomer(db(), contextOf(shop, date('2026-01-03')), command);
  await shop.followUp();

  expect(await read(shop)).toMatchObject([{ eventType: 'purchase', attributed: true }]);
});

it('months are counted over reports by API and by Stripe together', async () => {
  const shop = await buildStripeShop(deps, { recurring: true });
  await execute(db(), 'UPDATE programs SET recurring_months = 2 WHERE id = $1', [shop.program.id]);
  const customer = stripeId('cus');
  const ids = { customer, subscription: stripeId('sub') };
  await signUp(shop, 'user-1', [customer]);

  const sale = buildReport({ customerId: 'user-1', occurredAt: date('2026-01-10') });
  await recordConversion(db(), contextOf(shop, date('2026-01-11')), { ...sale, clickId: null });
  await shop.send(invoicePaid({ ...ids, paidAt: date('2026-02-10') }));
  await shop.send(invoicePaid({ ...ids, paidAt: date('2026-03-10') }));

  const earned = (await read(shop)).map(({ commission }) => commission !== null);
  expect(earned).toEqual([true, true, false]);
});

it('follows a member who binds the customer anew, from then on', async () => {
  const shop = await buildStripeShop(deps, { recurring: true });
  const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
  const click = await shop.click(date('2026-01-01'));
  await shop.send(
    checkoutCompleted({ ...ids, click, at: date('2026-01-02'), paymentIntent: null }),
  );
  const rival = await buildParticipant(db(), { program: shop.program });

  const command = { programId: shop.program.id, name: ids.customer };
  const bind = { ...command, participantId: rival.id, reason: 'asked' };
  await bindByHand(db(), contextOf(shop, date('2026-02-15')), bind);
  await shop.send(invoicePaid({ ...ids, paidAt: date('2026-03-02') }));
  await shop.send(invoicePaid({ ...ids, paidAt: date('2026-02-02') }));
  await unbindByHand(db(), contextOf(shop, date('2026-03-15')), command);
  await shop.send(invoicePaid({ ...ids, paidAt: date('2026-04-02') }));

  const credited = (await read(shop)).map(({ participantId }) => participantId);
  expect(credited).toEqual([shop.participant.id, shop.participant.id, rival.id]);
});

it('a customer of Stripe alone becomes the one whom the merchant names, with what they paid', async () => {
  const shop = await buildStripeShop(deps, { recurring: true });
  const [customer, other] = [stripeId('cus'), stripeId('cus')];
  await signUp(shop, 'user-1', [other]);
  const click = await shop.click(date('2026-01-01'));
  await shop.send(checkoutCompleted({ customer, click, at: date('2026-01-02') }));
  await shop.send(checkoutCompleted({ customer, reference: 'user-1', at: date('2026-01-03') }));

  expect((await read(shop)).map(({ eventType }) => eventType)).toEqual(['purchase', 'renewal']);
  expect(await findCustomer(db(), shop.scope, { name: customer })).toMatchObject({
    customerId: 'user-1',
    aliases: [customer, other].sort(),
    firstPaidAt: date('2026-01-02'),
  });
});
