import {
  selectList,
  type Outer,
  type Selected,
  type Selection,
} from '../../entities/database/columns';
import { query, queryOne, type Tx } from '../../entities/database/sql';
import type { CandidateTrace } from '../../entities/rules/attribution/conversion';
import { toldAtOf } from '../../entities/rules/billers';
import type { Biller } from '../../entities/rules/billing/biller';
import type { StoredSale, StoredVerdict } from '../../entities/rules/payments/sale';
import type { Scope } from '../../entities/rules/values/mode';
import { Conversion } from '../../entities/tables/conversions/conversion.entity';
import { CustomerBinding } from '../../entities/tables/customers/customer-binding.entity';
import { Customer } from '../../entities/tables/customers/customer.entity';
import { aliasLockKey } from '../conversions/alias-locks';
import { nameLockKey } from '../customers/names';
import { lockedColumns, type LockedCustomer } from '../customers/write';

const ofConversion = {
  id: 'id',
  source: 'source',
  externalTransactionId: 'externalTransactionId',
  eventType: 'eventType',
  amountCents: 'amountCents',
  currency: 'currency',
  occurredAt: 'occurredAt',
  clickId: 'clickId',
  promoCode: 'promoCode',
  prospectHash: 'prospectHash',
  customerId: 'customerId',
  metadata: 'metadata',
  items: 'items',
  attributed: 'attributed',
  reason: 'reason',
  matchedBy: 'matchedBy',
  programId: 'programId',
  participantId: 'participantId',
  creditedAs: 'creditedAs',
  createdAt: 'createdAt',
} as const satisfies Selection<Conversion>;

/** A conversion with how its own signals were judged, where its customer is credited instead. */
export type TimelineConversion = Selected<Conversion, typeof ofConversion> & {
  candidates: CandidateTrace[] | null;
};

interface PaymentColumns {
  paymentId: string | null;
  biller: Biller | null;
  subscription: string | null;
  customer: string | null;
  /** The processor's own id of the buyer. */
  buyer: string | null;
  sale: StoredSale | null;
  /** Money came in, by the processor's time. */
  isPaid: boolean;
  verdict: StoredVerdict | null;
  toldAt: Date | null;
}

type Row = PaymentColumns & Outer<TimelineConversion>;

/** One payment: what a processor says of it, the conversion that it is, or both. */
export interface TimelineRow extends PaymentColumns {
  /** The key of the processor's payment, else of the conversion. */
  key: string;
  conversion: TimelineConversion | null;
  /** An earlier release decided it, and it is asked all the same: by an operator. */
  isOld: boolean;
}

const conversionColumns = `${selectList(Conversion, 'v', ofConversion)},
  CASE WHEN v.matched_by = 'customer' THEN (
    SELECT d.trace->'candidates' FROM attribution_decisions AS d WHERE d.conversion_id = v.id)
  END AS candidates`;

/** Every id that the customers are known by. */
const names = `SELECT a.alias FROM customer_aliases AS a WHERE a.customer = ANY ($3::uuid[])`;

const ofProcessors = `
  SELECT p.id AS "paymentId", p.biller, p.subscription_id AS subscription, p.customer_id AS buyer, p.sale,
         p.paid_at IS NOT NULL AS "isPaid",
         p.verdict, p.created_at AS "toldAt",
         coalesce(p.customer, (SELECT a.customer FROM customer_aliases AS a
           WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = p.customer_id)) AS customer,
         ${conversionColumns}
    FROM stripe_payments AS p LEFT JOIN conversions AS v ON v.id = p.conversion_id
   WHERE p.id IN (
     SELECT id FROM stripe_payments WHERE customer = ANY ($3::uuid[])
     UNION ALL SELECT id FROM stripe_payments
      WHERE workspace_id = $1 AND mode = $2 AND customer_id = ANY (ARRAY(${names}))
     UNION ALL SELECT id FROM stripe_payments
      WHERE workspace_id = $1 AND mode = $2 AND subscription_id = ANY ($4::text[])
     UNION ALL SELECT unnest($5::uuid[]))
     AND p.workspace_id = $1 AND p.mode = $2`;

/** Reports that no processor tells of as well: those that a sale was recorded over are no payments. */
const ofReports = `
  SELECT NULL::uuid AS "paymentId", NULL AS biller, NULL AS subscription, NULL AS buyer, NULL::jsonb AS sale,
         false AS "isPaid",
         NULL::jsonb AS verdict, NULL::timestamptz AS "toldAt", a.customer, ${conversionColumns}
    FROM customer_aliases AS a
    JOIN LATERAL (
      SELECT c.* FROM programs AS g JOIN conversions AS c
          ON c.program_id = g.id AND c.attributed AND c.customer_id <> '' AND c.customer_id = a.alias
       WHERE g.workspace_id = $1 AND g.mode = $2
      UNION ALL
      SELECT c.* FROM conversions AS c
       WHERE c.workspace_id = $1 AND NOT c.attributed AND c.customer_id <> ''
         AND c.customer_id = a.alias AND c.mode = $2) AS v ON true
   WHERE a.customer = ANY ($3::uuid[]) AND a.workspace_id = $1 AND a.mode = $2
     AND v.credited_as IS DISTINCT FROM 'superseded'
     AND NOT EXISTS (SELECT 1 FROM stripe_payments AS p WHERE p.conversion_id = v.id)`;

const rowsSql = `${ofProcessors} UNION ALL ${ofReports}`;

/** What hangs together: customers, and the subscriptions that they pay. */
interface Parties {
  customers: Set<string>;
  subscriptions: Set<string>;
}

/** Where to begin. */
export interface Beginning {
  customers?: readonly string[];
  subscriptions?: readonly string[];
  payments?: readonly string[];
  /** One whose signals, if they led nowhere, are looked up again. */
  judged?: string;
}

export interface FoundTimeline {
  rows: TimelineRow[];
  /** The customers as they are stored, under their locks. */
  customers: LockedCustomer[];
  bindings: CustomerBinding[];
  /** The processor can be asked. */
  canAsk: boolean;
}

const hasKey = `EXISTS (
  SELECT 1 FROM stripe_connections
   WHERE workspace_id = $1::uuid AND mode = $2::text AND biller = 'stripe'
     AND deleted_at IS NULL AND restricted_key IS NOT NULL)`;

/**
 * All payments that what begins may change, under the locks of their customers and subscriptions: all
 * facts are read, and nothing else adds any until the transaction ends. What a read finds besides is
 * locked as well, and everything read again.
 */
export async function lockTimeline(
  tx: Tx,
  scope: Scope,
  { customers = [], subscriptions = [], payments = [] }: Beginning,
): Promise<FoundTimeline> {
  const parties = { customers: new Set(customers), subscriptions: new Set(subscriptions) };
  let locked = await lockParties(tx, scope, parties);
  let rows = await readRows(tx, scope, { parties, payments });
  while (addParties(parties, rows)) {
    locked = await lockParties(tx, scope, parties);
    rows = await readRows(tx, scope, { parties, payments });
  }
  return {
    rows,
    ...locked,
    bindings: await readBindings(tx, [...parties.customers]),
  };
}

/** Whether the rows name any that are not among them yet. */
function addParties(parties: Parties, rows: readonly TimelineRow[]): boolean {
  const size = parties.customers.size + parties.subscriptions.size;
  for (const { customer, subscription } of rows) {
    if (customer !== null) parties.customers.add(customer);
    if (subscription !== null) parties.subscriptions.add(subscription);
  }
  return parties.customers.size + parties.subscriptions.size > size;
}

async function readRows(
  tx: Tx,
  { workspaceId, mode }: Scope,
  { parties, payments }: { parties: Parties; payments: readonly string[] },
): Promise<TimelineRow[]> {
  const found = await query<Row>(tx, rowsSql, [
    workspaceId,
    mode,
    [...parties.customers],
    [...parties.subscriptions],
    payments,
  ]);
  const rows = new Map<string, TimelineRow>();
  for (const row of found) {
    const { paymentId, biller, subscription, customer, buyer, sale, isPaid, verdict } = row;
    const { toldAt: createdAt } = row;
    const toldAt = biller && createdAt && toldAtOf({ biller, sale, createdAt });
    const key = paymentId ?? row.id ?? '';
    const conversion = isConversion(row) ? row : null;
    rows.set(key, {
      key,
      paymentId,
      biller,
      subscription,
      customer,
      buyer,
      sale,
      isPaid,
      verdict,
      toldAt,
      conversion,
      isOld: false,
    });
  }
  return [...rows.values()];
}

function isConversion(row: Row): row is PaymentColumns & TimelineConversion {
  return row.id !== null;
}

type Locked = Pick<FoundTimeline, 'customers' | 'canAsk'>;

/**
 * Takes the same locks as intake does for what an event names, and as whoever names a customer does
 * for the name; all in one order.
 */
async function lockParties(
  tx: Tx,
  { workspaceId, mode }: Scope,
  { customers, subscriptions }: Parties,
): Promise<Locked> {
  const rows = await query<Outer<LockedCustomer> & { canAsk: boolean }>(
    tx,
    `WITH named AS MATERIALIZED (
       SELECT alias AS id FROM customer_aliases WHERE customer = ANY ($3::uuid[])
     ), keys AS MATERIALIZED (
       SELECT ${aliasLockKey('$1::text', '$2::text', 'id')} AS key
         FROM (SELECT id FROM named UNION SELECT unnest($4::text[])) AS paid
       UNION SELECT ${nameLockKey('$1::text', '$2::text', 'id')} FROM named
       ORDER BY 1
     ), held AS MATERIALIZED (
       SELECT count(pg_advisory_xact_lock(key)) FROM keys
     ), locked AS MATERIALIZED (
       SELECT u.* FROM customers AS u WHERE u.id = ANY ($3::uuid[]) ORDER BY u.id FOR UPDATE)
     SELECT ${selectList(Customer, 'u', lockedColumns)} , ${hasKey} AS "canAsk"
       FROM held LEFT JOIN locked AS u ON true`,
    [workspaceId, mode, [...customers], [...subscriptions]],
  );
  return {
    customers: rows.filter((row): row is LockedCustomer & { canAsk: boolean } => row.id !== null),
    canAsk: rows[0]?.canAsk === true,
  };
}

function readBindings(tx: Tx, customers: readonly string[]): Promise<CustomerBinding[]> {
  if (customers.length === 0) return Promise.resolve([]);
  return query<CustomerBinding>(
    tx,
    `SELECT ${selectList(CustomerBinding, 'b')} FROM customer_bindings AS b
      WHERE b.customer = ANY ($1::uuid[]) ORDER BY b.bound_at, b.id`,
    [customers],
  );
}

/** Whether Stripe, whose invoices come before their checkouts, can be asked: there is a key. */
export async function canAsk(tx: Tx, { workspaceId, mode }: Scope): Promise<boolean> {
  const row = await queryOne<{ canAsk: boolean }>(tx, `SELECT ${hasKey} AS "canAsk"`, [
    workspaceId,
    mode,
  ]);
  return row?.canAsk === true;
}
