import fc from 'fast-check';
import { bindByHand } from '../../../activities/customers/bind-by-hand';
import { refundConversion } from '../../../activities/purchases/refund';
import { recordConversion } from '../../../activities/purchases/report-purchase';
import { signUpCustomer } from '../../../activities/purchases/sign-up';
import { query, queryOne } from '../../../entities/database/sql';
import { AppError } from '../../../entities/errors';
import { systemActor } from '../../../entities/rules/values/actor';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildReport } from '../../support/build/conversions';
import { buildParticipant, type BuiltParticipant } from '../../support/build/programs';
import { checkoutCompleted, invoicePaid, stripeId } from '../../support/stripe/events';
import { buildStripeShop, type StripeShop } from '../../support/stripe/shop';

let deps: TestDeps;

beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());

const db = () => deps.db.manager;
const day = 24 * 3_600_000;
const dayOf = (n: number): Date => new Date(Date.UTC(2026, 0, 2) + n * day);
const later = dayOf(200);

/** A shop, a rival of its partner, and one customer: `user` to the shop, `cus_...` to Stripe. */
interface Setting {
  shop: StripeShop;
  rival: BuiltParticipant;
  clickId: string;
  cus: string;
  /** The ids of its payments, so that a repeat is the same payment. */
  id: (name: string) => string;
}

const kinds = [
  'signUp',
  'saleByClick',
  'saleByCustomer',
  'checkout',
  'invoice',
  'refund',
  'rebind',
] as const;
type Kind = (typeof kinds)[number];
interface Step {
  kind: Kind;
  /** Which of several of the kind, and on which day it happened. */
  n: number;
}

const contextOf = ({ shop }: Setting) => ({
  scope: shop.scope,
  now: later,
  actor: systemActor,
  requestId: undefined,
});

function sale(setting: Setting, { kind, n }: Step) {
  const { id, clickId } = setting;
  return {
    ...buildReport({ customerId: 'user', occurredAt: dayOf(n), promoCode: null }),
    externalTransactionId: id(`${kind}-${n}`),
    clickId: kind === 'saleByClick' ? clickId : null,
  };
}

const steps: Record<Kind, (setting: Setting, step: Step) => Promise<unknown>> = {
  signUp: (setting) =>
    signUpCustomer(db(), contextOf(setting), {
      customerId: 'user',
      aliases: [],
      clickId: setting.clickId,
      promoCode: null,
      occurredAt: dayOf(0),
      prospect: null,
    }),
  saleByClick: (setting, step) => recordConversion(db(), contextOf(setting), sale(setting, step)),
  saleByCustomer: (setting, step) =>
    recordConversion(db(), contextOf(setting), sale(setting, step)),
  checkout: ({ shop, cus, id }, { n }) =>
    shop.send(
      checkoutCompleted({
        session: id(`cs_test_${n}`),
        paymentIntent: id(`pi_${n}`),
        customer: cus,
        reference: 'user',
        at: dayOf(n),
      }),
    ),
  invoice: ({ shop, cus, id }, { n }) =>
    shop.send(
      invoicePaid({
        invoice: id(`in_${n}`),
        customer: cus,
        subscription: id('sub_1'),
        paidAt: dayOf(n),
      }),
    ),
  refund: async (setting, { n }) => {
    const first = await queryOne<{ id: string }>(
      db(),
      'SELECT id FROM conversions WHERE workspace_id = $1 ORDER BY occurred_at LIMIT 1',
      [setting.shop.scope.workspaceId],
    );
    if (!first) return;
    await refundConversion(db(), contextOf(setting), {
      conversionId: first.id,
      externalRefundId: `refund-${n}`,
      amountCents: 1,
      reason: null,
    });
  },
  rebind: (setting) =>
    bindByHand(db(), contextOf(setting), {
      programId: setting.shop.program.id,
      participantId: setting.rival.id,
      name: 'user',
      reason: 'asked',
    }),
};

/** A refusal is an answer; anything else is a fault. */
async function take(setting: Setting, step: Step): Promise<void> {
  try {
    await steps[step.kind](setting, step);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

const anyStep = fc.record({ kind: fc.constantFrom(...kinds), n: fc.integer({ min: 1, max: 3 }) });
const anySteps = fc
  .array(fc.tuple(anyStep, fc.boolean()), { minLength: 3, maxLength: 10 })
  .map((all) => all.flatMap(([step, isTwice]) => (isTwice ? [step, step] : [step])));

async function buildSetting(recurring: boolean): Promise<Setting> {
  const shop = await buildStripeShop(deps, { recurring });
  const rival = await buildParticipant(db(), { program: shop.program });
  const [own] = stripeId('x').split('_').slice(-1);
  return {
    shop,
    rival,
    clickId: await shop.click(dayOf(-1)),
    cus: stripeId('cus'),
    id: (name) => `${name}_${own ?? ''}`,
  };
}

interface Sale {
  alias: string;
  occurredAt: Date;
  matchedBy: string | null;
  isAttributed: boolean;
  earns: boolean;
}

const salesOf = ({ shop }: Setting) =>
  query<Sale>(
    db(),
    `SELECT v.external_transaction_id AS alias, v.occurred_at AS "occurredAt",
            v.matched_by AS "matchedBy", v.attributed AS "isAttributed", m.id IS NOT NULL AS earns
       FROM conversions AS v LEFT JOIN commissions AS m ON m.conversion_id = v.id
      WHERE v.workspace_id = $1 AND v.amount_cents > 0 ORDER BY v.occurred_at`,
    [shop.scope.workspaceId],
  );

it.each([true, false])(
  'in any order and however often, a customer has one binding, one first payment, one commission a payment (recurring %s)',
  async (recurring) => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (all) => {
        const setting = await buildSetting(recurring);
        for (const step of all) await take(setting, step);

        const customers = await query<{ firstPaidAt: Date | null; names: string[] }>(
          db(),
          `SELECT u.first_paid_at AS "firstPaidAt", array_agg(a.alias) AS names
             FROM customers AS u JOIN customer_aliases AS a ON a.customer = u.id
            WHERE u.workspace_id = $1 GROUP BY u.id`,
          [setting.shop.scope.workspaceId],
        );
        const sales = await salesOf(setting);
        const attributed = sales.filter(({ isAttributed }) => isAttributed);
        expect(customers.length).toBeLessThanOrEqual(1);
        if (attributed.length > 0) expect(customers).toHaveLength(1);
        expect(customers[0]?.firstPaidAt ?? null).toEqual(attributed[0]?.occurredAt ?? null);
        // A payment is one sale, whoever told of it and how often.
        expect(new Set(sales.map(({ alias }) => alias)).size).toBe(sales.length);
        const byCustomer = attributed.filter(({ matchedBy }) => matchedBy === 'customer');
        const earned = byCustomer.filter(({ earns }) => earns).length;
        if (recurring) expect(earned).toBe(byCustomer.length);
        else expect(earned).toBeLessThanOrEqual(1);
      }),
      { numRuns: Number(process.env['CUSTOMER_ORDERS'] ?? 12) },
    );
  },
  120_000,
);
