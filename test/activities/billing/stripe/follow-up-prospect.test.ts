import { query } from '../../../../entities/database/sql';
import { useDeps } from '../../../support/app';
import { checkoutCompleted, invoicePaid, stripeId } from '../../../support/stripe/events';
import { buildStripeShop, conversionsOf } from '../../../support/stripe/shop';

const deps = useDeps();

const at = (day: number): Date => new Date(Date.UTC(2026, 0, day, 12));

describe('a sale that is decided after its event', () => {
  it.each([
    ['self_referral_email', (partner: string) => partner.toUpperCase()],
    ['disposable_email', () => 'buyer@mailinator.com'],
  ])('is judged by the address that the stored event tells: %s', async (rule, emailOf) => {
    const shop = await buildStripeShop(deps, { holdDays: 0 });
    const [partner] = await query<{ email: string }>(
      deps.db.manager,
      'SELECT partner_email AS email FROM participants WHERE id = $1',
      [shop.participant.id],
    );
    const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
    const customer_email = emailOf(partner?.email ?? '');
    const invoice = invoicePaid({ ...ids, paidAt: at(20), object: { customer_email } });
    await shop.send(invoice);
    expect(await shop.statuses()).toEqual(['ignored']);

    // The trial's checkout, which names the click, comes late.
    const trial = { ...ids, amount: 0, paymentIntent: null, at: at(6) };
    await shop.send(checkoutCompleted({ ...trial, click: await shop.click(at(5)) }));

    const [conversion] = await conversionsOf(deps.db.manager, shop.scope);
    expect(conversion).toMatchObject({ participantId: shop.participant.id });
    const flags = await query<{ rule: string }>(
      deps.db.manager,
      'SELECT rule FROM fraud_flags WHERE conversion_id = $1',
      [conversion?.id],
    );
    expect(flags.map((flag) => flag.rule)).toContain(rule);
  });
});
