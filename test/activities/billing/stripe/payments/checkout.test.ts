import { newId } from '../../../../../entities/ids';
import { useDeps } from '../../../../support/app';
import { buildParticipant, buildPromoCode } from '../../../../support/build/programs';
import {
  asyncPaymentSucceeded,
  checkoutCompleted,
  stripeId,
} from '../../../../support/stripe/events';
import { stripeVersions } from '../../../../support/stripe/fixtures';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../../support/stripe/shop';

const deps = useDeps();

const hour = 3_600_000;
const day = 24 * hour;
const ago = (ms: number): Date => new Date(Date.now() - ms);
const read = (shop: StripeShop) => conversionsOf(deps.db.manager, shop.scope);

describe('a checkout', () => {
  it.each(stripeVersions)('of version %s earns its partner a commission', async (version) => {
    const shop = await buildStripeShop(deps);
    const at = new Date('2026-03-04T05:06:07Z');
    const click = await shop.click(new Date('2026-03-01T00:00:00Z'));
    const session = stripeId('cs_test');
    const paymentIntent = stripeId('pi');

    await shop.send(
      checkoutCompleted({ version, at, click, session, paymentIntent, tax: 2_100, shipping: 500 }),
    );

    expect(await read(shop)).toMatchObject([
      {
        externalTransactionId: paymentIntent,
        aliases: [session, paymentIntent].sort(),
        eventType: 'purchase',
        attributed: true,
        amountCents: 10_000,
        occurredAt: '2026-03-04T05:06:07.000Z',
        commission: { amountCents: 2_000, status: 'pending' },
      },
    ]);
    expect(await shop.statuses()).toEqual(['processed']);
  });

  it('is attributed by client_reference_id when metadata names no click of ours', async () => {
    const shop = await buildStripeShop(deps);
    const reference = await shop.click();

    await shop.send(checkoutCompleted({ click: newId(), reference }));

    expect(await read(shop)).toMatchObject([{ attributed: true }]);
  });

  it('is recorded as CLICK_NOT_FOUND when its only signal is an unknown metadata click', async () => {
    const shop = await buildStripeShop(deps);

    await shop.send(checkoutCompleted({ click: 'no click at all', reference: 'order 7' }));

    expect(await read(shop)).toMatchObject([
      { attributed: false, reason: 'CLICK_NOT_FOUND', commission: null },
    ]);
  });

  it('does not know a click of the other mode or of another workspace', async () => {
    const shop = await buildStripeShop(deps);
    const { workspaceId } = shop.scope;
    const live = await buildStripeShop(deps, { workspaceId, mode: 'live' });
    const foreign = await buildStripeShop(deps);

    await shop.send(
      checkoutCompleted({ click: await live.click() }),
      checkoutCompleted({ click: await foreign.click() }),
    );

    expect(await read(shop)).toMatchObject([
      { reason: 'CLICK_NOT_FOUND' },
      { reason: 'CLICK_NOT_FOUND' },
    ]);
  });

  it('without any signal of ours is no conversion', async () => {
    const shop = await buildStripeShop(deps);

    await shop.send(checkoutCompleted({ reference: 'order 7' }));

    expect(await read(shop)).toEqual([]);
    expect(await shop.statuses()).toEqual(['ignored']);
  });

  it('with the promotion code of a partner is attributed by it', async () => {
    const shop = await buildStripeShop(deps);
    await buildPromoCode(deps.db.manager, shop.participant, { code: 'ANNA10' });

    const discounts = [{ coupon: null, promotion_code: { id: 'promo_1', code: 'anna10' } }];
    await shop.send(checkoutCompleted({ object: { discounts } }));

    expect(await read(shop)).toMatchObject([{ attributed: true }]);
  });

  it('credits the promotion code when it is another partner than the click', async () => {
    const shop = await buildStripeShop(deps);
    const other = await buildParticipant(deps.db.manager, { program: shop.program });
    await buildPromoCode(deps.db.manager, other, { code: 'OTHER' });
    const click = await shop.click();

    const discounts = [{ coupon: null, promotion_code: { id: 'promo_1', code: 'OTHER' } }];
    await shop.send(checkoutCompleted({ click, object: { discounts } }));

    const [conversion] = await read(shop);
    expect(await participantOf(conversion?.id)).toBe(other.id);
  });

  it('that is not paid yet is no payment before it is', async () => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click(ago(hour));
    const session = stripeId('cs_test');
    const paymentIntent = stripeId('pi');
    const common = { session, paymentIntent, click };

    await shop.send(checkoutCompleted({ ...common, paymentStatus: 'unpaid' }));
    expect(await read(shop)).toEqual([]);

    await shop.send(asyncPaymentSucceeded(common));
    expect(await read(shop)).toMatchObject([{ attributed: true }]);
    expect(await shop.statuses()).toEqual(['processed', 'processed']);
  });

  it('of zero amount is no payment', async () => {
    const shop = await buildStripeShop(deps);

    await shop.send(checkoutCompleted({ click: await shop.click(), amount: 0 }));

    expect(await read(shop)).toEqual([]);
  });

  it('counts a click within its own second as before it', async () => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click(new Date('2026-03-01T10:00:00.700Z'));

    await shop.send(checkoutCompleted({ click, at: new Date('2026-03-01T10:00:00Z') }));

    expect(await read(shop)).toMatchObject([{ attributed: true }]);
  });

  it('may be ahead of our clock', async () => {
    const shop = await buildStripeShop(deps, { attributionWindowDays: 365 });
    const click = await shop.click();

    await shop.send(checkoutCompleted({ click, at: new Date(Date.now() + 20 * day) }));

    expect(await read(shop)).toMatchObject([{ attributed: true }]);
  });

  it('is one conversion however often and under whatever event id it is told', async () => {
    const shop = await buildStripeShop(deps);
    const click = await shop.click();
    const options = { click, session: stripeId('cs_test'), paymentIntent: stripeId('pi') };
    const first = checkoutCompleted(options);

    await shop.send(first, first, checkoutCompleted(options));
    await Promise.all(
      (await shop.receive(checkoutCompleted(options), checkoutCompleted(options))).map(
        shop.process,
      ),
    );

    expect(await read(shop)).toHaveLength(1);
  });
});

async function participantOf(conversionId: string | undefined): Promise<string | undefined> {
  const rows = await deps.db.query<{ participant_id: string }[]>(
    'SELECT participant_id FROM conversions WHERE id = $1',
    [conversionId],
  );
  return rows[0]?.participant_id;
}
