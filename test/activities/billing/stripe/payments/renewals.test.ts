import { newId } from '../../../../../entities/ids';
import { execute } from '../../../../../entities/database/sql';
import { useDeps } from '../../../../support/app';
import { buildParticipant, buildPromoCode } from '../../../../support/build/programs';
import { buildReport, recordConversion } from '../../../../support/build/conversions';
import { checkoutCompleted, invoicePaid, stripeId } from '../../../../support/stripe/events';
import {
  oldShape,
  stripeVersions,
  type StripeTestEvent,
} from '../../../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../../support/stripe/shop';

const deps = useDeps();

const hour = 3_600_000;
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);

describe('renewals (payments.md, Renewals)', () => {
  const january = new Date('2026-01-31T23:59:58Z');

  async function subscribed(terms: Parameters<typeof buildStripeShop>[1] = {}) {
    const shop = await buildStripeShop(deps, { recurring: true, ...terms });
    const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
    const click = await shop.click(new Date(january.getTime() - hour));
    const first = checkoutCompleted({
      ...ids,
      click,
      at: january,
      invoice: stripeId('in'),
      paymentIntent: null,
      amount: 2_000,
    });
    return { shop, ids, first };
  }

  it.each(stripeVersions)(
    'of version %s are credited to the partner of the first payment',
    async (version) => {
      const { shop, ids, first } = await subscribed();
      const [charge, paymentIntent] = [stripeId('ch'), stripeId('pi')];

      await shop.send(
        first,
        invoicePaid({
          ...ids,
          version,
          charge,
          paymentIntent,
          paidAt: new Date('2026-02-28T00:00:00Z'),
        }),
      );

      expect(await read(shop)).toMatchObject([
        { eventType: 'purchase' },
        { eventType: 'renewal', attributed: true, commission: { amountCents: 400 } },
      ]);
    },
  );

  it('are so whatever their metadata says', async () => {
    const { shop, ids, first } = await subscribed();
    const other = await buildParticipant(deps.db.manager, { program: shop.program });
    await buildPromoCode(deps.db.manager, other, { code: 'LATE' });

    await shop.send(first, invoicePaid({ ...ids, click: newId(), subscriptionClick: newId() }));

    const [, renewal] = await read(shop);
    expect(renewal).toMatchObject({ eventType: 'renewal', attributed: true });
    expect(await participantOf(renewal?.id)).toBe(shop.participant.id);
  });

  it('by customer, when the subscription is a new one', async () => {
    const { shop, ids, first } = await subscribed();

    await shop.send(first, invoicePaid({ customer: ids.customer, subscription: stripeId('sub') }));

    expect(await read(shop)).toMatchObject([{}, { eventType: 'renewal', attributed: true }]);
  });

  it('that came before the first payment are recorded when it comes', async () => {
    const { shop, ids, first } = await subscribed();
    const renewal = invoicePaid({ ...ids, paidAt: new Date('2026-02-28T00:00:00Z') });

    await shop.send(renewal);
    expect(await read(shop)).toEqual([]);
    await shop.send(first);

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase' },
      { eventType: 'renewal', commission: { amountCents: 400 } },
    ]);
    expect(await shop.statuses()).toEqual(['processed', 'processed']);
  });

  it('earn for whole months from the first payment, not in the moment after them', async () => {
    const { shop, ids, first } = await subscribed({ recurringMonths: 2 });
    const paid = (at: string) => invoicePaid({ ...ids, paidAt: new Date(at) });

    await shop.send(first, paid('2026-02-28T23:59:59Z'), paid('2026-03-31T23:59:59Z'));

    expect(await read(shop)).toMatchObject([
      { commission: { amountCents: 400 } },
      { attributed: true, commission: { amountCents: 400 } },
      { attributed: true, eventType: 'renewal', commission: null },
    ]);
  });

  it('are conversions without a commission when recurring is off', async () => {
    const { shop, ids, first } = await subscribed({ recurring: false });

    await shop.send(first, invoicePaid(ids));

    expect(await read(shop)).toMatchObject([{}, { attributed: true, commission: null }]);
  });

  it('do not earn for a partner who is suspended now', async () => {
    const { shop, ids, first } = await subscribed();
    await shop.send(first);
    await execute(deps.db.manager, `UPDATE participants SET status = 'suspended' WHERE id = $1`, [
      shop.participant.id,
    ]);

    await shop.send(invoicePaid(ids));

    expect(await read(shop)).toMatchObject([{}, { eventType: 'renewal', commission: null }]);
  });

  it('count their months from the first paid invoice after a trial', async () => {
    const shop = await buildStripeShop(deps, { recurring: true, recurringMonths: 2 });
    const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
    const click = await shop.click(new Date('2026-01-30T00:00:00Z'));
    const paid = (at: string) => invoicePaid({ ...ids, paidAt: new Date(at) });
    const trial = { ...ids, amount: 0, paymentIntent: null, invoice: stripeId('in') };

    const began = new Date('2026-01-30T12:00:00Z');
    await shop.send(
      checkoutCompleted({ ...trial, click, paymentStatus: 'no_payment_required', at: began }),
      invoicePaid({ ...ids, invoice: trial.invoice, amount: 0, paidAt: began }),
    );
    expect(await read(shop)).toEqual([]);
    await shop.send(
      paid('2026-02-10T00:00:00Z'),
      paid('2026-04-09T23:59:59Z'),
      paid('2026-04-10T00:00:00Z'),
    );

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase', attributed: true, commission: { amountCents: 400 } },
      { eventType: 'renewal', commission: { amountCents: 400 } },
      { eventType: 'renewal', commission: null },
    ]);
  });

  it('know a first payment that was reported by API', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
    const paymentIntent = stripeId('pi');
    await recordConversion(
      deps.db.manager,
      { scope: shop.scope, now: new Date() },
      buildReport({
        externalTransactionId: paymentIntent,
        clickId: await shop.click(),
        amountCents: 2_000,
      }),
    );

    await shop.send(
      invoicePaid({ ...ids, version: oldShape, paymentIntent, charge: stripeId('ch') }),
      invoicePaid({ ...ids, paidAt: new Date(Date.now() + hour) }),
    );

    expect(await read(shop)).toMatchObject([
      {},
      { eventType: 'renewal', commission: { amountCents: 400 } },
    ]);
  });

  it('are renewals whatever reason their invoices tell', async () => {
    const { shop, ids, first } = await subscribed();
    const wrong = { ...ids, billingReason: 'subscription_create' };

    await shop.send(first, invoicePaid(wrong), invoicePaid(wrong));

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase' },
      { eventType: 'renewal' },
      { eventType: 'renewal' },
    ]);
  });

  it('of a payment that was not attributed are judged by their own signals', async () => {
    const shop = await buildStripeShop(deps, { recurring: true });
    const ids = { subscription: stripeId('sub'), customer: stripeId('cus') };
    const next = { ...ids, paidAt: new Date(Date.now() + hour) };

    await shop.send(
      invoicePaid({ ...ids, subscriptionClick: newId() }),
      invoicePaid({ ...next, subscriptionClick: newId() }),
      invoicePaid(next),
    );

    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase', reason: 'CLICK_NOT_FOUND' },
      { eventType: 'purchase', reason: 'CLICK_NOT_FOUND' },
    ]);
    expect(await read(shop)).toHaveLength(2);
  });

  it('are one-off payments too, whether they came before their customer was bound or after', async () => {
    const { shop, ids, first } = await subscribed();
    const oneOff = (): StripeTestEvent => checkoutCompleted({ customer: ids.customer });

    await shop.send(oneOff());
    expect(await read(shop)).toHaveLength(0);
    await shop.send(first, oneOff());

    const { id: participantId } = shop.participant;
    expect(await read(shop)).toMatchObject([
      { eventType: 'purchase', participantId },
      { eventType: 'renewal', participantId },
      { eventType: 'renewal', participantId },
    ]);
  });

  it('are no one-off payments of a time before their customer was brought', async () => {
    const { shop, ids, first } = await subscribed();
    const before = new Date(january.getTime() - hour);

    await shop.send(checkoutCompleted({ customer: ids.customer, at: before }), first);

    expect(await read(shop)).toMatchObject([{ eventType: 'purchase' }]);
  });
});

async function participantOf(conversionId: string | undefined): Promise<string | undefined> {
  const rows = await deps.db.query<{ participant_id: string }[]>(
    'SELECT participant_id FROM conversions WHERE id = $1',
    [conversionId],
  );
  return rows[0]?.participant_id;
}
