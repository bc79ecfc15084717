import { newId } from '../../../entities/ids';
import type { Scope } from '../../../entities/rules/values/mode';
import type { Biller } from '../../../entities/rules/billing/biller';
import type {
  BillerFacts,
  BillerObject,
  PaymentSummary,
} from '../../../entities/rules/billing/rules';
import { rulesOf, toldAtOf } from '../../../entities/rules/billers';
import { isStripesOwn } from '../../../entities/rules/stripe/payment-fact';
import { selectList } from '../../../entities/database/columns';
import { insertAll } from '../../../entities/database/insert-all';
import { type Db, execute, query, type Tx } from '../../../entities/database/sql';
import { BillerObject as BillerObjectRow } from '../../../entities/tables/billing/biller-object.entity';
import { BillerPayment } from '../../../entities/tables/billing/biller-payment.entity';
import { findClick } from '../../clicks/clicks';
import { aliasLockKey } from '../../conversions/alias-locks';
import { customerOfNames } from '../../credit/customer-of-names';
import type { CommandContext } from '../../journal/cause';
import { scopeOf } from '../connection/connection';

const used = [
  'id',
  'biller',
  'conversionId',
  'subscriptionId',
  'customerId',
  'customer',
  'sale',
  'createdAt',
] as const satisfies (keyof BillerPayment)[];

/** A payment with all its objects, as the rows say. It is made when the first of them arrives. */
export interface StripePaymentRecord extends Pick<BillerPayment, (typeof used)[number]> {
  objects: BillerObject[];
}

type PaymentRow = Omit<StripePaymentRecord, 'objects'> & Pick<BillerObjectRow, 'objectId' | 'fact'>;

const paymentColumns = selectList(BillerPayment, 'p', used);
const objectColumns = selectList(BillerObjectRow, 'o', ['objectId', 'fact']);

/** The payments that any of these objects belongs to, oldest first; usually none or one. */
export async function findPaymentsByObjects(
  db: Db,
  scope: Scope,
  objectIds: string[],
): Promise<StripePaymentRecord[]> {
  return readPayments(db, scope, {
    where: `p.id IN (SELECT payment_id FROM stripe_objects
             WHERE workspace_id = $1 AND mode = $2 AND object_id = ANY ($3::text[]))`,
    value: objectIds,
  });
}

/** A payment with all its objects; undefined for one that is part of another by now. */
export async function findPayment(
  db: Db,
  scope: Scope,
  id: string,
): Promise<StripePaymentRecord | undefined> {
  const [payment] = await readPayments(db, scope, {
    where: 'p.id = ANY ($3::uuid[])',
    value: [id],
  });
  return payment;
}

/** Payments with all their objects; `where` is a condition on `stripe_payments p`, `$3` its value. */
export async function readPayments(
  db: Db,
  scope: Scope,
  { where, value }: { where: string; value: (string | null)[] },
): Promise<StripePaymentRecord[]> {
  const rows = await query<PaymentRow>(
    db,
    `SELECT ${paymentColumns}, ${objectColumns}
       FROM stripe_payments p JOIN stripe_objects o ON o.payment_id = p.id
      WHERE p.workspace_id = $1 AND p.mode = $2 AND ${where}
      ORDER BY p.id, o.object_id`,
    [scope.workspaceId, scope.mode, value],
  );
  const payments = new Map<string, StripePaymentRecord>();
  for (const { objectId, fact, ...payment } of rows) {
    const known = payments.get(payment.id) ?? { ...payment, objects: [] };
    known.objects.push({ id: objectId, fact });
    payments.set(payment.id, known);
  }
  return [...payments.values()];
}

/**
 * Nothing else works on what these ids belong to until the transaction ends. Taken before any row is
 * locked, all at once and in one order.
 */
export async function lockStripeIds(tx: Tx, scope: Scope, ids: string[]): Promise<void> {
  await query(
    tx,
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT ${aliasLockKey('$1::text', '$2::text', 'id')} AS key
         FROM unnest($3::text[]) AS id ORDER BY 1) AS keys`,
    [scope.workspaceId, scope.mode, ids],
  );
}

interface Saving {
  biller: Biller;
  facts: BillerFacts;
  known: StripePaymentRecord[];
}

/**
 * Writes what an event says: its objects join the payment that knows any of them, payments that
 * turn out to be one become one, and each object's fact is what all its events say together.
 * Expects every id involved to be locked. Undefined when the event names nothing at all.
 */
export async function savePayment(
  tx: Tx,
  { scope, now }: CommandContext,
  { biller, facts, known }: Saving,
): Promise<StripePaymentRecord | undefined> {
  const { merge, summaryOf } = rulesOf(biller);
  const said = new Map<string, BillerObject['fact']>(facts.ids.map((id) => [id, null]));
  for (const { id, fact } of facts.objects) said.set(id, merge(said.get(id) ?? null, fact));
  if (said.size === 0) return undefined;

  const merged = mergePaymentRecords(known) ?? newPayment(biller, now);
  const before = new Map(merged.objects.map(({ id, fact }) => [id, fact]));
  for (const [id, fact] of said) before.set(id, merge(before.get(id) ?? null, fact));
  const objects = [...before].map(([id, fact]) => ({ id, fact }));
  const summary = summaryOf(objects);
  const createdAt = toldAtOf(merged) ?? now;
  const told = withParties({ ...merged, createdAt, objects, sale: summary.sale }, summary);
  const former = summaryOf(merged.objects);
  const customer = await buyerOf(tx, { scope, now }, { before: former, summary, told });
  const payment = { ...told, customer };

  await writePayment(tx, scope, {
    payment,
    paidAt: summary.paidAt,
    isNew: known.length === 0,
  });
  // What came with another payment stays as it is, but for whose it is.
  const own = new Set(known.find(({ id }) => id === payment.id)?.objects.map(({ id }) => id));
  const written = payment.objects.filter(({ id }) => said.has(id) || !own.has(id));
  await insertAll(tx, {
    into: BillerObjectRow,
    rows: written.map(({ id: objectId, fact }) => ({
      ...scopeOf(scope),
      objectId,
      paymentId: payment.id,
      fact,
    })),
    onConflict: `ON CONFLICT ON CONSTRAINT uq_stripe_object
         DO UPDATE SET payment_id = excluded.payment_id, fact = excluded.fact`,
  });
  await dropMerged(tx, { keptId: payment.id, known });
  return payment;
}

interface Buying {
  /** What was known of the payment before the event. */
  before: PaymentSummary;
  summary: PaymentSummary;
  told: StripePaymentRecord;
}

/** The customer who paid; looked for only where the payment names further ids than before. */
async function buyerOf(
  tx: Tx,
  { scope, now }: Pick<CommandContext, 'scope' | 'now'>,
  { before, summary, told }: Buying,
): Promise<string | null> {
  const known = [...before.names.own, ...before.names.billers];
  const named = summary.names;
  const isNews = [...named.own, ...named.billers].some((name) => !known.includes(name));
  if (!isNews && told.customer !== null) return told.customer;
  const own = await withoutClicks(tx, scope, named.own);
  return customerOfNames(tx, { scope, now }, { ...named, own, current: told.customer });
}

/** A reference that is one of our clicks names no customer: several buyers may come by one click. */
async function withoutClicks(tx: Tx, scope: Scope, names: readonly string[]): Promise<string[]> {
  const kept: string[] = [];
  for (const name of names) if (!(await findClick(tx, scope, name))) kept.push(name);
  return kept;
}

/**
 * The event without the name of its subscription's first payment, when that is another invoice's
 * already: a subscription begins once, whatever reason a later invoice gives.
 */
export function withoutForeignFirst(
  facts: BillerFacts,
  known: StripePaymentRecord[],
): { facts: BillerFacts; known: StripePaymentRecord[] } {
  const own = facts.ids.filter(isInvoice);
  const first = facts.ids.find((id) => !isStripesOwn(id));
  const holder = known.find(({ objects }) => objects.some(({ id }) => id === first));
  const theirs = holder?.objects.map(({ id }) => id).filter(isInvoice) ?? [];
  const isForeign = own.length > 0 && theirs.length > 0 && !theirs.some((id) => own.includes(id));
  if (!isForeign) return { facts, known };
  return {
    facts: { ...facts, ids: facts.ids.filter((id) => id !== first) },
    known: known.filter((payment) => payment !== holder),
  };
}

function isInvoice(id: string): boolean {
  return id.startsWith('in_');
}

/** Makes several payments that are one into the oldest of them. */
function mergePaymentRecords(known: StripePaymentRecord[]): StripePaymentRecord | undefined {
  const [first, ...others] = known;
  if (!first) return undefined;
  return others.reduce(
    (all, other) => ({
      ...all,
      createdAt: all.createdAt < other.createdAt ? all.createdAt : other.createdAt,
      conversionId: all.conversionId ?? other.conversionId,
      subscriptionId: all.subscriptionId ?? other.subscriptionId,
      customerId: all.customerId ?? other.customerId,
      customer: all.customer ?? other.customer,
      objects: [...all.objects, ...other.objects],
    }),
    first,
  );
}

function newPayment(biller: Biller, now: Date): StripePaymentRecord {
  const parties = { conversionId: null, subscriptionId: null, customerId: null, customer: null };
  return { id: newId(), biller, ...parties, sale: null, createdAt: now, objects: [] };
}

/** The payment with the subscription and the customer that its session or invoice names. */
function withParties(payment: StripePaymentRecord, told: PaymentSummary): StripePaymentRecord {
  const subscriptionId = payment.subscriptionId ?? told.subscriptionId;
  const customerId = payment.customerId ?? told.customerId;
  return { ...payment, subscriptionId, customerId };
}

/**
 * Writes the payment's customer and subscription, what it says for its credit, and when money came
 * in (null before it did).
 */
async function writePayment(
  tx: Tx,
  scope: Scope,
  {
    payment,
    paidAt,
    isNew,
  }: Pick<PaymentSummary, 'paidAt'> & {
    payment: StripePaymentRecord;
    isNew: boolean;
  },
): Promise<void> {
  const { id, biller, subscriptionId, customerId, conversionId, customer, sale, createdAt } =
    payment;
  if (isNew) {
    const told = { subscriptionId, customerId, conversionId, customer, sale, verdict: null };
    const times = {
      paidAt: paidAt === null ? null : new Date(paidAt),
      createdAt,
    };
    const row = { id, biller, ...scopeOf(scope), ...told, ...times };
    await insertAll(tx, { into: BillerPayment, rows: [row] });
    return;
  }
  await execute(
    tx,
    `UPDATE stripe_payments
        SET subscription_id = $2, customer_id = $3, conversion_id = $4, paid_at = $5, customer = $6,
            sale = $7, created_at = $8
      WHERE id = $1
        AND (subscription_id, customer_id, conversion_id, paid_at, customer, sale, created_at)
        IS DISTINCT FROM
            ($2, $3, $4::uuid, $5::timestamptz, $6::uuid, $7::jsonb, $8::timestamptz)`,
    [id, subscriptionId, customerId, conversionId, paidAt, customer, sale, createdAt],
  );
}

async function dropMerged(
  tx: Tx,
  { keptId, known }: { keptId: string; known: StripePaymentRecord[] },
): Promise<void> {
  const merged = known.map(({ id }) => id).filter((id) => id !== keptId);
  if (merged.length === 0) return;
  await execute(
    tx,
    'UPDATE stripe_events SET payment_id = $1 WHERE payment_id = ANY ($2::uuid[])',
    [keptId, merged],
  );
  await execute(tx, 'DELETE FROM stripe_payments WHERE id = ANY ($1::uuid[])', [merged]);
}

/** Remembers which conversion a payment is. */
export async function setConversion(
  tx: Tx,
  scope: Scope,
  { paymentId, conversionId }: { paymentId: string; conversionId: string },
): Promise<void> {
  await execute(
    tx,
    `UPDATE stripe_payments SET conversion_id = $2
      WHERE id = $1 AND workspace_id = $3 AND mode = $4 AND conversion_id IS DISTINCT FROM $2`,
    [paymentId, conversionId, scope.workspaceId, scope.mode],
  );
}
