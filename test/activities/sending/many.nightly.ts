import { execute, query } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../../support/app';
import { startPayPalStandIn, type PayPalStandIn } from '../../support/paypal/stand-in';
import { advance, batchesOf, buildPayPalShop, later, statusesOf } from '../../support/paypal/shop';

let app: TestApp;
let paypal: PayPalStandIn;
const minute = 60_000;

beforeAll(async () => {
  paypal = await startPayPalStandIn(() => app.deps.clock.now());
  app = await startTestApp({ PAYPAL_API_BASE: paypal.url });
});
afterAll(async () => {
  await app.close();
  await paypal.close();
});

describe('a batch of more than five thousand items', () => {
  const many = 5_001;

  /** Partners of the same account, each with an item; nothing of it is paid here. */
  async function growTo(payoutId: string, count: number): Promise<void> {
    for (let from = 2; from <= count; from += 1_000) {
      await grow(payoutId, from, Math.min(from + 999, count));
    }
  }

  async function grow(payoutId: string, from: number, to: number): Promise<void> {
    const db = app.deps.db.manager;
    const columnsOf = async (table: string, own: Record<string, string>) => {
      const rows = await query<{ name: string }>(
        db,
        `SELECT attname AS name FROM pg_attribute
          WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
        [table],
      );
      const names = rows.map(({ name }) => name);
      return [names.join(', '), names.map((name) => own[name] ?? `t.${name}`).join(', ')];
    };
    const numbered = `lpad(n::text, 12, '0')`;
    const idOf = (first: string) => `('${first}-0000-7000-8000-' || ${numbered})::uuid`;
    const [people, person] = await columnsOf('participants', {
      id: idOf('0a000000'),
      partner_id: idOf('0b000000'),
      referral_token: `t.referral_token || n`,
    });
    const [accounts, account] = await columnsOf('partner_accounts', {
      id: idOf('0b000000'),
      email: `'many-' || n || '@partner.test'`,
    });
    const [items, item] = await columnsOf('payout_items', {
      id: idOf('0c000000'),
      participant_id: idOf('0a000000'),
      reference: `'pomany' || ${numbered}`,
    });
    const series = `generate_series(${from}, ${to}) AS n`;
    const ofPayout = `i.payout_id = $1 AND i.reference NOT LIKE 'pomany%'`;
    await execute(
      db,
      `INSERT INTO partner_accounts (${accounts}) SELECT ${account} FROM partner_accounts AS t
         JOIN participants AS p ON p.partner_id = t.id
         JOIN payout_items AS i ON i.participant_id = p.id AND ${ofPayout}, ${series}`,
      [payoutId],
    );
    await execute(
      db,
      `INSERT INTO participants (${people}) SELECT ${person} FROM participants AS t
         JOIN payout_items AS i ON i.participant_id = t.id AND ${ofPayout}, ${series}`,
      [payoutId],
    );
    await execute(
      db,
      `INSERT INTO payout_items (${items}) SELECT ${item} FROM payout_items AS t, ${series}
        WHERE t.payout_id = $1 AND t.reference NOT LIKE 'pomany%'`,
      [payoutId],
    );
  }

  it('is two, with an id of its own each', async () => {
    const shop = await buildPayPalShop(app);
    const payout = await shop.payout();
    await growTo(payout.id, many);

    expect((await shop.send(payout)).status).toBe(202);
    await advance(app, payout);

    const batches = await batchesOf(shop, payout);
    expect(batches.map(({ items, status }) => [items, status]).sort()).toEqual([
      [1, 'taken'],
      [5_000, 'taken'],
    ]);
    expect(new Set(batches.map((batch) => batch['senderBatchId'])).size).toBe(2);
    const taken = [...paypal.books.batches.values()].slice(-2);
    const references = taken.flatMap((batch) => batch.items.map(({ reference }) => reference));
    expect(new Set(references).size).toBe(many);
    // All six pages are read before a batch that was refused makes its items ready.
    for (const batch of taken) batch.word = 'DENIED';
    await later(app, payout, 2 * minute);
    expect(new Set(await statusesOf(shop, payout))).toEqual(new Set(['ready']));
  });
});
