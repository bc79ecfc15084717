import { query } from '../../../../entities/database/sql';
import { commissionRuleOf } from '../../../../entities/rules/programs/terms';
import { checkoutCompleted, invoicePaid, stripeId } from '../../../support/stripe/events';
import { buildStripeShop, conversionsOf, type StripeShop } from '../../../support/stripe/shop';
import { useStripe } from '../../../support/stripe/suite';

const { deps, stripe } = useStripe();

const hour = 3_600_000;
const ofPro = commissionRuleOf({
  name: 'Pro',
  match: { productIds: ['prod_pro'] },
  type: 'percentage',
  rateBps: 5_000,
});
const rules = [ofPro];
const lines = (...products: string[]) => ({
  object: 'list',
  has_more: false,
  data: products.map((product, n) => ({
    id: `li_${n}`,
    amount_total: 100,
    price: { id: `price_${n}`, product },
    quantity: 1,
  })),
});
const reasonsOf = (shop: StripeShop) =>
  query<{ reviewReasons: string[]; rule: string | null }>(
    deps.db.manager,
    `SELECT review_reasons AS "reviewReasons", terms->>'rule' AS rule FROM commissions
      WHERE program_id = $1`,
    [shop.program.id],
  );

it('lines of a checkout are asked for with a key, once a rule asks what was sold', async () => {
  const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key', rules });
  const session = stripeId('cs');
  stripe.set(`/v1/checkout/sessions/${session}/line_items`, lines('prod_pro'));
  const click = await shop.click(new Date(Date.now() - hour));
  await shop.send(checkoutCompleted({ session, click }));
  expect(await reasonsOf(shop)).toEqual([{ reviewReasons: [], rule: 'Pro' }]);
  const [conversion] = await query<{ items: object[] }>(
    deps.db.manager,
    'SELECT items FROM conversions WHERE program_id = $1',
    [shop.program.id],
  );
  expect(conversion?.items).toMatchObject([{ product_id: 'prod_pro', price_id: 'price_0' }]);
});

it('without a key what nobody has told is flagged, and no rule of products matches', async () => {
  const shop = await buildStripeShop(deps, { rules });
  const click = await shop.click(new Date(Date.now() - hour));
  await shop.send(checkoutCompleted({ click }));
  expect(await reasonsOf(shop)).toEqual([{ reviewReasons: ['ITEMS_UNKNOWN'], rule: null }]);
  expect(await conversionsOf(deps.db.manager, shop.scope)).toHaveLength(1);
});

it('nothing is asked where no rule asks what was sold', async () => {
  const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
  const click = await shop.click(new Date(Date.now() - hour));
  const session = stripeId('cs');
  await shop.send(checkoutCompleted({ session, click }), invoicePaid({ click }));
  expect(stripe.calls.filter(({ path }) => path.includes('line'))).toEqual([]);
});
