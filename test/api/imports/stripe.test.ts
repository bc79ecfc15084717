import { query, type Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { callerOf } from '../../support/callers';
import { beginImport, csvOf } from '../../support/imports';
import { chargeRefunded, chargeSucceeded, invoicePaid } from '../../support/stripe/events';
import type { StripeTestEvent } from '../../support/stripe/fixtures';
import { buildStripeShop } from '../../support/stripe/shop';

const app = useApp();
let db: Db;

beforeAll(() => {
  db = app.deps.db.manager;
});

/** A customer of Ann's who has paid once, with the commission of it, and nothing else. */
const files = {
  partners: csvOf([{ partner_id: 'p1', email: 'ann@example.com', status: 'active' }]),
  customers: csvOf([
    {
      partner_id: 'p1',
      customer_id: 'u1',
      aliases: 'cus_1',
      bound_at: '2026-05-01',
      first_paid_at: '2026-05-01',
    },
  ]),
  commissions: csvOf([
    {
      commission_id: 'c1',
      partner_id: 'p1',
      customer_id: 'u1',
      sale_id: 'ch_1',
      sale_amount: '100.00',
      amount: '20.00',
      currency: 'usd',
      status: 'approved',
      occurred_at: '2026-05-01T10:00:00Z',
    },
  ]),
};

async function openShop() {
  const { bring, ...shop } = await openEmptyShop();
  await bring();
  return shop;
}

/** Stripe is connected; `bring` imports. */
async function openEmptyShop(given = files) {
  const owner = await buildMember(db);
  const { workspaceId } = owner;
  const terms = { recurring: true, recurringMonths: 12, rateBps: 1_000, holdDays: 30 };
  const shop = await buildStripeShop(app.deps, { workspaceId, mode: 'live', ...terms });
  const api = await callerOf(app, owner);
  const bring = async (): Promise<void> => {
    const one = await beginImport(app.deps, api, { programId: shop.program.id, files: given });
    await one.check();
    expect((await one.apply()).status).toBe('applied');
  };
  return { ...shop, bring };
}

/** Tells events as Stripe does of live payments; each must have been processed. */
async function tell(shop: Shop, ...events: StripeTestEvent[]): Promise<void> {
  await shop.send(...events.map((event) => ({ ...event, livemode: true })));
  expect(new Set(await shop.statuses())).toEqual(new Set(['processed']));
}

type Shop = Awaited<ReturnType<typeof buildStripeShop>>;

function booked({ program }: Shop) {
  return query(
    db,
    `SELECT coalesce(v.source, '') AS source, v.external_transaction_id AS sale,
            c.commission_type AS type, c.amount_cents AS cents, c.status
       FROM conversions AS v LEFT JOIN commissions AS c ON c.conversion_id = v.id
      WHERE v.program_id = $1 ORDER BY v.occurred_at, v.id`,
    [program.id],
  );
}

const imported = { source: 'import', sale: 'ch_1', type: 'imported', status: 'approved' };

it('an event does not book a payment of Stripe’s that an import holds (imports.md, Booking)', async () => {
  const shop = await openShop();
  const at = new Date('2026-05-01T10:00:00Z');
  const payment = { charge: 'ch_1', paymentIntent: 'pi_1', customer: 'cus_1' };
  await tell(
    shop,
    invoicePaid({ ...payment, invoice: 'in_1', amount: 10_000, at }),
    chargeSucceeded({ ...payment, amount: 10_000, at }),
  );
  const earned = (await booked(shop)).filter((row) => (row as { type: unknown }).type !== null);
  expect(earned).toEqual([{ ...imported, cents: 2_000 }]);
});

it('books a renewal that Stripe tells after the cutover, by the old customer', async () => {
  const shop = await openShop();
  const at = new Date('2026-06-05T10:00:00Z');
  const payment = { charge: 'ch_2', paymentIntent: 'pi_2', customer: 'cus_1' };
  await tell(shop, invoicePaid({ ...payment, invoice: 'in_2', amount: 10_000, at }));
  const rows = await booked(shop);
  expect(rows).toHaveLength(2);
  expect(rows).toMatchObject([
    { ...imported, cents: 2_000 },
    { type: 'percentage', cents: 1_000 },
  ]);
});

it('takes the share of a refund at Stripe off a sale that was imported, once', async () => {
  const shop = await openShop();
  const at = new Date('2026-06-05T10:00:00Z');
  const half = { charge: 'ch_1', paymentIntent: 'pi_1', amount: 10_000, refunded: 5_000, at };
  await tell(shop, chargeRefunded(half));
  await tell(shop, chargeRefunded(half));
  expect(await booked(shop)).toEqual([{ ...imported, cents: 1_000 }]);
});

it('takes it off where Stripe told it before the sale was imported, too', async () => {
  const { bring, ...shop } = await openEmptyShop();
  const at = new Date('2026-06-05T10:00:00Z');
  const half = { charge: 'ch_1', paymentIntent: 'pi_1', amount: 10_000, refunded: 5_000, at };
  await shop.send({ ...chargeRefunded(half), livemode: true });
  await bring();
  await shop.followUp();
  expect(await booked(shop)).toEqual([{ ...imported, cents: 1_000 }]);
  expect(await shop.statuses()).toEqual(['processed']);
});

it('takes a refund off once that Stripe told before the import, and the import tells, too', async () => {
  const commissions = files.commissions
    .replace('sale_amount,', 'sale_amount,sale_refunded,')
    .replace('100.00,20.00', '100.00,50.00,10.00');
  const { bring, ...shop } = await openEmptyShop({ ...files, commissions });
  const charge = { charge: 'ch_1', paymentIntent: 'pi_1', amount: 10_000 };
  const half = { ...charge, refunded: 5_000, at: new Date('2026-05-20T10:00:00Z') };
  await shop.send({ ...chargeRefunded(half), livemode: true });
  await bring();
  await shop.followUp();
  expect(await booked(shop)).toEqual([{ ...imported, cents: 1_000 }]);
  await tell(
    shop,
    chargeRefunded({ ...charge, refunded: 7_500, at: new Date('2026-06-20T10:00:00Z') }),
  );
  expect(await booked(shop)).toEqual([{ ...imported, cents: 500 }]);
});
