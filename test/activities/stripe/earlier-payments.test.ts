import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import {
  earlierPaymentsSql,
  earlierValues,
  findEarlierPayments,
  refusals,
  type AskingPayment,
} from '../../../activities/stripe/payments/earlier-payments';
import { insertAll } from '../../../entities/database/insert-all';
import { query, queryOne, type Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import type { AttributionReason } from '../../../entities/rules/attribution/attribute';
import type { Scope } from '../../../entities/rules/values/mode';
import { Conversion } from '../../../entities/tables/conversions/conversion.entity';
import { StripePayment } from '../../../entities/tables/stripe/stripe-payment.entity';
import { asOwner } from '../../support/database';
import { useDatabase } from '../../support/data-source';
import { isNightly } from '../../support/run/nightly';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

const begin = Date.parse('2026-01-01T12:00:00Z');
const on = (day: number): Date => new Date(begin + day * 86_400_000);

/** A payment: whose it is, when it was paid, and as which conversion, if it is one. */
interface Paid {
  subscriptionId: string | null;
  customerId: string | null;
  paidAt: Date | null;
  conversion: { occurredAt: Date; reason: AttributionReason; participantId: string | null } | null;
}

async function save(scope: Scope, payments: Paid[]): Promise<string[]> {
  const rows = payments.map((payment) => ({ ...payment, id: newId(), conversionId: randomUUID() }));
  await insertAll(db, {
    into: Conversion,
    rows: rows.flatMap(({ conversion, conversionId: id }) =>
      conversion ? [{ ...conversionOf(scope, id), ...conversion, ...outcomeOf(conversion) }] : [],
    ),
  });
  await insertAll(db, {
    into: StripePayment,
    rows: rows.map(({ conversion, conversionId, ...payment }) => ({
      id: payment.id,
      ...scope,
      conversionId: conversion && conversionId,
      subscriptionId: payment.subscriptionId,
      customerId: payment.customerId,
      paidAt: payment.paidAt,
      createdAt: on(0),
    })),
  });
  return rows.map(({ id }) => id);
}

/** What is attributed has a partner. */
const outcomeOf = ({ reason, participantId }: NonNullable<Paid['conversion']>) =>
  reason === 'ATTRIBUTED'
    ? { attributed: true, participantId: participantId ?? partners[0] ?? null }
    : { attributed: false };

const conversionOf = (scope: Scope, id: string) => ({
  id,
  ...scope,
  externalTransactionId: id,
  source: 'stripe' as const,
  eventType: 'renewal',
  amountCents: 100,
  currency: 'usd',
  explanation: '',
  programId,
  participantId: null,
  createdAt: on(0),
});

/** The rule in one look at everything that the customer has paid. */
const plainSql = `
  WITH payments AS (
    SELECT v.participant_id, v.id, v.attributed, v.reason,
           coalesce(p.paid_at, v.occurred_at) AS paid_at,
           coalesce(p.subscription_id = $3, false) AS of_subscription
      FROM stripe_payments p JOIN conversions v ON v.id = p.conversion_id
     WHERE p.workspace_id = $1 AND p.mode = $2
       AND (p.subscription_id = $3 OR p.customer_id = $4)
       AND p.id <> $5 AND coalesce(p.paid_at, v.occurred_at) <= $6
  ), decisive AS (
    SELECT participant_id, CASE WHEN NOT attributed THEN reason END AS refusal FROM payments
     WHERE participant_id IS NOT NULL
       AND (attributed OR (of_subscription AND reason = ANY ($7::text[])))
     ORDER BY of_subscription DESC, paid_at, id LIMIT 1
  )
  SELECT (SELECT bool_or(of_subscription) FROM payments) AS "ofSubscription",
         (SELECT participant_id FROM decisive) AS "participantId",
         (SELECT refusal FROM decisive) AS refusal,
         (SELECT min(paid_at) FROM payments JOIN decisive USING (participant_id)
           WHERE attributed OR refusal IS NOT NULL) AS "firstPaidAt"`;

const programId = newId();
const partners = [newId(), newId(), null];
const subscriptions = ['sub_1', 'sub_2', null];
const customers = ['cus_1', 'cus_2', null];
const days = fc.integer({ min: 0, max: 4 }).map(on);

const anyPaid: fc.Arbitrary<Paid> = fc.record({
  subscriptionId: fc.constantFrom(...subscriptions),
  customerId: fc.constantFrom('cus_1', ...customers),
  paidAt: fc.option(days, { freq: 3 }),
  conversion: fc.option(
    fc.record({
      occurredAt: days,
      reason: fc.constantFrom<AttributionReason[]>(
        'ATTRIBUTED',
        'CLICK_NOT_FOUND',
        ...refusals.slice(0, 2),
      ),
      participantId: fc.constantFrom(...partners),
    }),
    { freq: 4 },
  ),
});

describe('what earlier payments say', () => {
  it('is what a look at all of them says, for whichever payment asks and whenever', async () => {
    const seen = { credits: 0, refusals: 0, unknown: 0 };
    const states = fc.array(anyPaid, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(states, async (payments) => {
        const scope: Scope = { workspaceId: newId(), mode: 'test' };
        const [first = newId()] = await save(scope, payments);
        for (const asking of askersOf(first)) {
          const values = earlierValues(scope, asking);
          const plain = await queryOne<Record<string, unknown>>(db, plainSql, values);
          expect(await queryOne(db, earlierPaymentsSql, values)).toEqual(plain);
          if (plain?.['participantId']) seen.credits += 1;
          if (plain?.['refusal']) seen.refusals += 1;
          if (plain?.['ofSubscription'] === null) seen.unknown += 1;
        }
      }),
      { numRuns: isNightly ? 300 : 30 },
    );
    expect(Math.min(seen.credits, seen.refusals, seen.unknown)).toBeGreaterThan(0);
  });

  it.each([
    ['renewals of one subscription', { subscriptionId: 'sub_1' }],
    ['payments of a customer with other subscriptions', { subscriptionId: 'sub_9' }],
  ])('costs no more beside 10,000 %s', async (_, { subscriptionId }) => {
    const scope: Scope = { workspaceId: newId(), mode: 'test' };
    const participantId = newId();
    await save(scope, [paid('sub_1', participantId, 0)]);
    const asking = { id: newId(), subscriptionId, customerId: 'cus_1', paidAt: on(9_999) };
    await multiply(scope);

    const { most, buffers } = await readBy(scope, asking);
    expect(await findEarlierPayments(db, scope, asking)).toEqual({
      of: subscriptionId === 'sub_1' ? 'subscription' : 'customer',
      credit: { participantId, refusal: null, firstPaidAt: on(0) },
    });
    expect(most).toBeLessThanOrEqual(5);
    expect(buffers).toBeLessThan(200);
  });
});

const paid = (subscriptionId: string, participantId: string, day: number): Paid => ({
  subscriptionId,
  customerId: 'cus_1',
  paidAt: on(day),
  conversion: { occurredAt: on(day), reason: 'ATTRIBUTED', participantId },
});

const askersOf = (first: string): AskingPayment[] =>
  [newId(), first].flatMap((id) =>
    subscriptions.flatMap((subscriptionId) =>
      [0, 2, 4].map((day) => ({ id, subscriptionId, customerId: 'cus_1', paidAt: on(day) })),
    ),
  );

/** Renews the one payment of the workspace 10,000 times, once an hour. */
async function multiply({ workspaceId }: Scope): Promise<void> {
  await asOwner(
    database.url,
    `WITH one AS (
       SELECT p.subscription_id, p.customer_id AS buyer_id, v.*
         FROM stripe_payments AS p JOIN conversions AS v ON v.id = p.conversion_id
        WHERE p.workspace_id = '${workspaceId}'
     ), many AS (
       SELECT one.*, gen_random_uuid() AS new_id, occurred_at + n * interval '1 hour' AS at
         FROM one, generate_series(1, 10000) AS n
     ), converted AS (
       INSERT INTO conversions (id, workspace_id, mode, external_transaction_id, source, event_type,
              amount_cents, currency, occurred_at, attributed, reason, explanation, program_id,
              participant_id, created_at)
       SELECT new_id, workspace_id, mode, new_id::text, source, event_type, amount_cents, currency, at,
              attributed, reason, explanation, program_id, participant_id, created_at FROM many
     )
     INSERT INTO stripe_payments (id, workspace_id, mode, conversion_id, subscription_id,
            customer_id, paid_at, created_at)
     SELECT gen_random_uuid(), workspace_id, mode, new_id, subscription_id, buyer_id, at,
            created_at FROM many`,
  );
  await asOwner(database.url, 'ANALYZE stripe_payments, conversions');
}

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

/** The most rows that a part of the plan went through, and the pages that all of it did. */
async function readBy(
  scope: Scope,
  asking: AskingPayment,
): Promise<{ most: number; buffers: number }> {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    db,
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${earlierPaymentsSql}`,
    earlierValues(scope, asking),
  );
  if (!row) throw new Error('no plan');
  const [{ Plan: whole }] = row['QUERY PLAN'];
  const rowsOf = (node: PlanNode): number[] => [
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...(node.Plans ?? []).flatMap(rowsOf),
  ];
  return {
    most: Math.max(...rowsOf(whole)),
    buffers: whole['Shared Hit Blocks'] + whole['Shared Read Blocks'],
  };
}
