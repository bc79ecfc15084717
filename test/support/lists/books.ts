import { newId } from '../../../entities/ids';
import { copies, copyRow, pick, type Json, type ListRows, type Setting } from './copies';

const ofSales = copies({ table: 'commissions', change: 'amount_cents = amount_cents - 1' });

/** Commissions of several programmes and partners, of whom two have one name; of one partner's own their own. */
export const commissions: ListRows = {
  ...ofSales,
  async make({ db, world }, { n, source }) {
    const own = source['partnerName'] === undefined ? await partnerOf({ db }, source['id']) : null;
    const { rows: owners } = await db.query<Json>(
      `SELECT id AS participant_id, program_id FROM participants
        WHERE workspace_id = $1 AND ($2::uuid IS NULL OR partner_id = $2) ORDER BY id LIMIT 5`,
      [world.workspaceId, own],
    );
    const at = new Date(Date.now() - 3_600_000 + n);
    const values = {
      id: newId(at),
      created_at: at,
      conversion_id: newId(),
      ...pick(owners, n),
      amount_cents: 100 + (n % 3),
      review_reasons: n % 2 === 0 ? [] : ['FRAUD_SUSPECTED'],
      commission_type: pick(['percentage', 'flat'], n),
    };
    return copyRow(db, { table: 'commissions', id: source['id'] }, values);
  },
};

async function partnerOf({ db }: Pick<Setting, 'db'>, commissionId: unknown): Promise<unknown> {
  const {
    rows: [row],
  } = await db.query<{ id: string }>(
    `SELECT p.partner_id AS id FROM commissions AS c
       JOIN participants AS p ON p.id = c.participant_id WHERE c.id = $1`,
    [commissionId],
  );
  return row?.id;
}

async function book({ db, world }: Setting, values: Json): Promise<string> {
  const {
    rows: [known],
  } = await db.query<{ id: string }>(
    'SELECT id FROM ledger_entries WHERE participant_id = $1 ORDER BY id LIMIT 1',
    [world.id('participantId', '/partners/:participantId')],
  );
  return copyRow(
    db,
    { table: 'ledger_entries', id: known?.id },
    { type: 'payout', amount_cents: -100, ...values },
  );
}

/** What is booked stays as it is. */
export const statementEntries: ListRows = {
  keyOf: ({ id }) => String(id),
  make: (setting, { n, at }) => book(setting, { created_at: at, currency: pick(currencies, n) }),
};

const currencies = ['usd', 'eur', 'gbp', 'chf'];

/** Sums of the months of this year. */
export const statement: ListRows = {
  keyOf: ({ month, currency }) => [month, currency].join(' '),
  async make(setting, { n }) {
    const month = `${new Date().getUTCFullYear()}-${String((n % 12) + 1).padStart(2, '0')}`;
    const currency = pick(currencies, Math.floor(n / 12));
    await book(setting, { created_at: `${month}-15T00:00:00Z`, currency });
    return `${month} ${currency}`;
  },
};

/** A partner's: an item each. */
export const partnerPayouts: ListRows = {
  keyOf: ({ id }) => String(id),
  async make({ db }, { at, source }) {
    const known = { table: 'payouts', id: source['id'] };
    const {
      rows: [item],
    } = await db.query<{ id: string }>('SELECT id FROM payout_items WHERE payout_id = $1', [
      known.id,
    ]);
    const payoutId = await copyRow(db, known, { created_at: at });
    const reference = `po${payoutId.replaceAll('-', '').slice(-20)}`;
    await copyRow(db, { table: 'payout_items', id: item?.id }, { payout_id: payoutId, reference });
    return payoutId;
  },
  change: ({ db }, id) =>
    db.query('UPDATE payout_items SET paid_at = now() WHERE payout_id = $1', [id]),
  remove: ({ db }, id) => db.query('DELETE FROM payout_items WHERE payout_id = $1', [id]),
};
