import { createConversionRecorder } from '../../../../activities/purchases/report-purchase';
import { query } from '../../../../entities/database/sql';
import { useDeps } from '../../../support/app';
import { buildReport } from '../../../support/build/conversions';
import { checkoutCompleted, invoicePaid, stripeId } from '../../../support/stripe/events';
import { buildStripeShop, conversionsOf } from '../../../support/stripe/shop';

const deps = useDeps();

const at = (day: number): Date => new Date(Date.UTC(2026, 0, day, 12));

/** An invoice of a buyer whom no signal names yet, with their address as it is made of the partner's. */
async function buildIgnored(emailOf: (partner: string) => string) {
  const shop = await buildStripeShop(deps, { holdDays: 0 });
  const [partner] = await query<{ email: string }>(
    deps.db.manager,
    'SELECT partner_email AS email FROM participants WHERE id = $1',
    [shop.participant.id],
  );
  const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
  const customer_email = emailOf(partner?.email ?? '');
  await shop.send(invoicePaid({ ...ids, paidAt: at(20), object: { customer_email } }));
  expect(await shop.statuses()).toEqual(['ignored']);
  return { shop, ids };
}

function rulesOf(conversionId: string | undefined): Promise<{ rule: string }[]> {
  const flags = 'SELECT rule FROM fraud_flags WHERE conversion_id = $1';
  return query<{ rule: string }>(deps.db.manager, flags, [conversionId]);
}

describe('a sale that is decided after its event', () => {
  it.each([
    ['self_referral_email', (partner: string) => partner.toUpperCase()],
    ['disposable_email', () => 'buyer@mailinator.com'],
  ])('is judged by the address that the stored event tells: %s', async (rule, emailOf) => {
    const { shop, ids } = await buildIgnored(emailOf);

    // The trial's checkout, which names the click, comes late.
    const trial = { ...ids, amount: 0, paymentIntent: null, at: at(6) };
    await shop.send(checkoutCompleted({ ...trial, click: await shop.click(at(5)) }));

    const [conversion] = await conversionsOf(deps.db.manager, shop.scope);
    expect(conversion).toMatchObject({ participantId: shop.participant.id });
    expect(await rulesOf(conversion?.id)).toContainEqual({ rule });
  });

  it('is judged by it too where a report by API brings the decision', async () => {
    const { shop, ids } = await buildIgnored((partner) => partner);
    const clickId = await shop.click(at(5));
    const report = buildReport({ clickId, customerId: ids.customer, occurredAt: at(6) });
    const { db, vault } = deps;
    const recorder = createConversionRecorder(db.manager, vault);
    await recorder.record(db.manager, { scope: shop.scope, now: new Date() }, report);

    const conversions = await conversionsOf(db.manager, shop.scope);
    const told = conversions.find(
      ({ externalTransactionId: id }) => id !== report.externalTransactionId,
    );
    expect(told).toMatchObject({ participantId: shop.participant.id });
    expect(await rulesOf(told?.id)).toContainEqual({ rule: 'self_referral_email' });
  });
});
