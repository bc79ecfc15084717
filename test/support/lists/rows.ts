import { newId } from '../../../entities/ids';
import { publicEventId, storedEventId } from '../../../entities/rules/webhooks/envelope';
import { commissions, partnerPayouts, statement, statementEntries } from './books';
import { copies, copyRow, type Json, type ListRows } from './copies';
import {
  customers,
  inboxPlaces,
  notifications,
  participants,
  partnerPrograms,
  people,
  performance,
  suppressedAddresses,
} from './people';

const links = copies({
  table: 'tracking_links',
  fresh: () => ({ token: newId(), is_default: false, target_url: 'https://shop.example' }),
  change: "name = 'Changed'",
});
const processorEvents = copies({
  table: 'stripe_events',
  time: 'received_at',
  fresh: () => ({ stripe_event_id: newId() }),
  change: 'attempts = 2',
});
const sessions = copies({ table: 'sessions', change: 'last_used_at = now()' });
const conversions = { table: 'conversions', change: 'amount_cents = amount_cents + 1' };

const fraudFlags: ListRows = {
  ...copies({ table: 'fraud_flags', change: "note = 'Changed'" }),
  async make({ db }, { at, source }) {
    const conversion = { table: 'conversions', id: (source['conversion'] as Json)['id'] };
    const values = { conversion_id: await copyRow(db, conversion, {}), created_at: at };
    return copyRow(db, { table: 'fraud_flags', id: source['id'] }, values);
  },
};

const events: ListRows = {
  keyOf: ({ id }) => String(id),
  async make({ db }, { at, source }) {
    const id = storedEventId(String(source['id']));
    return publicEventId(await copyRow(db, { table: 'events', id }, { occurred_at: at }));
  },
  remove: ({ db }, key) => db.query('DELETE FROM events WHERE id = $1', [storedEventId(key)]),
};

/** No id is shown: each copy is in a group of its own. */
const memberships: ListRows = {
  keyOf: ({ groupId }) => String(groupId),
  async make({ db }, { at, source }) {
    const { rows } = await db.query<{ id: string }>(
      'SELECT id FROM group_memberships WHERE group_id = $1 LIMIT 1',
      [source['groupId']],
    );
    const groupId = newId();
    const row = { table: 'group_memberships', id: rows[0]?.id };
    await copyRow(db, row, { since: at, group_id: groupId });
    return groupId;
  },
  change: ({ db }, key) =>
    db.query("UPDATE group_memberships SET source = 'hand' WHERE group_id = $1", [key]),
  remove: ({ db }, key) => db.query('DELETE FROM group_memberships WHERE group_id = $1', [key]),
};

const promoCodes: ListRows = {
  keyOf: ({ code }) => String(code),
  async make({ db }, { at, source }) {
    const { rows } = await db.query<{ id: string }>(
      'SELECT id FROM promo_codes WHERE code = $1 LIMIT 1',
      [source['code']],
    );
    const code = newId().toUpperCase();
    await copyRow(db, { table: 'promo_codes', id: rows[0]?.id }, { created_at: at, code });
    return code;
  },
  change: ({ db }, key) =>
    db.query(`UPDATE promo_codes SET discount = '{"months": null}' WHERE code = $1`, [key]),
  remove: ({ db }, key) => db.query('DELETE FROM promo_codes WHERE code = $1', [key]),
};

/** What was logged stays. */
const { keyOf, make } = copies({ table: 'audit_log', change: '' });

/** An entry for each list of the API, by its operation. */
export const listRows: Readonly<Record<string, ListRows>> = {
  listPrograms: copies({ table: 'programs', change: "name = 'Changed'" }),
  listConversions: copies(conversions),
  listDecisions: copies({ ...conversions, key: 'conversion_id' }),
  listRefunds: copies({
    table: 'conversion_refunds',
    fresh: () => ({ external_refund_id: newId() }),
    change: 'amount_cents = 2',
  }),
  listAllCommissions: commissions,
  listCommissions: commissions,
  listPartnerCommissions: commissions,
  listErasureReceipts: copies({
    table: 'erasure_receipts',
    time: 'erased_at',
    fresh: () => ({ participant_id: newId() }),
    change: 'completed_at = now()',
  }),
  listSessionsMerchant: sessions,
  listSessionsPartner: sessions,
  listPartnerPrograms: partnerPrograms,
  listNotificationLog: copies({ table: 'mails', change: "subject = 'Changed'" }),
  listPartnerLinks: links,
  listParticipantLinks: links,
  listInboxPlaces: inboxPlaces,
  listParticipants: participants,
  // A name that changes takes its row to another place.
  listParticipantNames: copies({ ...people, change: "status = 'suspended'" }),
  listCustomers: customers,
  listProgramCustomers: customers,
  listFraudFlags: fraudFlags,
  listAuditLog: { keyOf, make },
  listApiKeys: copies({
    table: 'api_keys',
    fresh: () => ({ key_hash: newId() }),
    change: 'last_used_at = now()',
  }),
  listMembers: copies({
    table: 'merchant_accounts',
    fresh: () => ({ email: `${newId()}@shop.example` }),
    change: "name = 'Changed'",
  }),
  listSuppressedAddresses: suppressedAddresses,
  listMerchantNotifications: notifications,
  listPartnerNotifications: notifications,
  listStripeEvents: processorEvents,
  listBillerEvents: processorEvents,
  listPayoutBatches: copies({
    table: 'payout_batches',
    fresh: () => ({ sender_batch_id: newId() }),
    change: "currency = 'eur'",
  }),
  listPromoCodes: promoCodes,
  listGroups: copies({
    table: 'program_groups',
    fresh: () => ({ name_key: newId() }),
    change: "description = 'Changed'",
  }),
  listParticipantGroups: memberships,
  // A programme has one open import at most.
  listImports: copies({
    table: 'imports',
    fresh: () => ({ status: 'applied' }),
    change: "currency = 'eur'",
  }),
  listPartnerInvites: copies({
    table: 'partner_invites',
    fresh: () => ({ email: `${newId()}@invite.example` }),
    change: 'generation = 2',
  }),
  listWebhookDeliveries: copies({
    table: 'webhook_deliveries',
    fresh: () => ({ event_id: newId() }),
    change: 'attempts = 3',
  }),
  listWebhooks: copies({ table: 'webhook_endpoints', change: "description = 'Changed'" }),
  listEvents: events,
  listPayouts: copies({ table: 'payouts', change: "status = 'completed'" }),
  listPartnerPayouts: partnerPayouts,
  listPayoutStatement: statement,
  listPayoutStatementEntries: statementEntries,
  listLedger: statementEntries,
  listPartnerPerformance: performance,
};
