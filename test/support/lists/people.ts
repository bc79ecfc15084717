import { newId } from '../../../entities/ids';
import { copies, copyRow, pick, type ListRows } from './copies';

const names = ['Ava', 'ava', 'Zoë', "O'Neill of a name that is rather long", 'Ava'];

/** Partners of a programme, some of one name. */
export const people = {
  table: 'participants',
  fresh: (n: number) => ({
    partner_id: newId(),
    partner_name: pick(names, n),
    status: pick(['approved', 'suspended'], n),
  }),
};

export const participants = copies({
  ...people,
  change: "partner_name = reverse(partner_name), status = 'suspended'",
});

/** The same with figures, which change. */
export const performance: ListRows = {
  ...participants,
  keyOf: ({ participantId }) => String(participantId),
  async make(setting, making) {
    const source = { id: making.source['participantId'] };
    const id = await participants.make(setting, { ...making, source });
    await setting.db.query(
      `INSERT INTO analytics_rollups (workspace_id, mode, program_id, participant_id, link_id,
         promo_code, measure, minutes, start, value)
       SELECT workspace_id, mode, program_id, id, '00000000-0000-0000-0000-000000000000', '',
              measure, 43200, '2026-01-01T00:00:00Z', 1 + $2::int % size
         FROM participants CROSS JOIN (VALUES ('clicks', 7), ('conversions', 3),
              ('fraud_flags', 2), ('revenue:usd', 5)) AS sums (measure, size) WHERE id = $1`,
      [id, making.n],
    );
    return id;
  },
  change: ({ db }, id) =>
    db.query('UPDATE analytics_rollups SET value = value + 3 WHERE participant_id = $1', [id]),
};

/** When some were bound is not known any more. */
export const customers: ListRows = {
  ...copies({ table: 'customers', change: 'first_paid_at = now()' }),
  async make({ db }, { n, at, source }) {
    const values = { customer_id: newId(), bound_at: n % 5 === 0 ? null : at };
    const id = await copyRow(db, { table: 'customers', id: source['id'] }, values);
    await db.query(
      `INSERT INTO customer_aliases (workspace_id, mode, alias, customer)
       SELECT workspace_id, mode, customer_id, id FROM customers WHERE id = $1`,
      [id],
    );
    return id;
  },
};

/** A programme each, of one partner. */
export const partnerPrograms: ListRows = {
  keyOf: ({ programId }) => String(programId),
  async make({ db }, { at, source }) {
    const programId = await copyRow(db, { table: 'programs', id: source['programId'] }, {});
    const participant = { table: 'participants', id: source['participantId'] };
    await copyRow(db, participant, { program_id: programId, created_at: at });
    return programId;
  },
  change: ({ db }, id) => db.query("UPDATE programs SET name = 'Changed' WHERE id = $1", [id]),
  remove: ({ db }, id) => db.query('DELETE FROM participants WHERE program_id = $1', [id]),
};

/** The suppressed addresses, which are found by the addresses of members. */
export const suppressedAddresses: ListRows = {
  ...copies({ table: 'suppressed_addresses', change: "reason = 'complained'" }),
  async make({ db, vault, world }, { at, source }) {
    const email = `${newId()}@shop.example`;
    const id = world.id('memberId', '/members/:memberId');
    await copyRow(db, { table: 'merchant_accounts', id }, { email });
    const values = { email_hash: vault.contactHash(email), created_at: at };
    return copyRow(db, { table: 'suppressed_addresses', id: source['id'] }, values);
  },
};

export const notifications: ListRows = {
  ...copies({ table: 'notifications', change: "title = 'Changed'" }),
  async make({ db }, { source }) {
    const {
      rows: [next],
    } = await db.query<{ seq: number }>(
      `SELECT max(o.seq) + 1 AS seq FROM notifications AS n
         JOIN notifications AS o ON o.feed_id = n.feed_id WHERE n.id = $1`,
      [source['id']],
    );
    const values = { cause_id: newId(), seq: next?.seq };
    return copyRow(db, { table: 'notifications', id: source['id'] }, values);
  },
  isUncounted: true,
};

/** A programme each, where an application waits. */
export const inboxPlaces: ListRows = {
  keyOf: ({ kind, programId, webhookId }) => `${String(kind)}:${String(programId ?? webhookId)}`,
  async make({ db, world }) {
    const program = { table: 'programs', id: world.id('programId', '/programs/:programId') };
    const programId = await copyRow(db, program, {});
    const path = '/programs/:programId/partners/:participantId';
    const participant = { table: 'participants', id: world.id('participantId', path) };
    await copyRow(db, participant, { program_id: programId, status: 'pending' });
    return `applications:${programId}`;
  },
  remove: ({ db }, key) =>
    db.query('DELETE FROM participants WHERE program_id = $1', [key.split(':')[1]]),
};
