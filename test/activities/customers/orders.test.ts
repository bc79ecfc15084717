import fc from 'fast-check';
import { bindByHand, unbindByHand } from '../../../activities/purchases/bind-by-hand';
import { writeConversions } from '../../../activities/conversions/insert-with-commission';
import {
  OutOfOrderError,
  planReport,
  readFacts,
  recordAll,
  submissionOf,
} from '../../../activities/conversions/record';
import { signUpCustomer } from '../../../activities/purchases/sign-up';
import { RowsLockedError } from '../../../entities/database/errors';
import { query, transaction } from '../../../entities/database/sql';
import { AppError } from '../../../entities/errors';
import { systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import { buildClick } from '../../support/build/clicks';
import { buildReport, recordConversion } from '../../support/build/conversions';
import { buildParticipant, type BuiltParticipant } from '../../support/build/programs';
import { checkoutCompleted, invoicePaid, stripeId } from '../../support/stripe/events';
import { buildStripeShop, type StripeShop } from '../../support/stripe/shop';
import { CustomerModel, type Partner, type Terms } from './model';

const deps = useDeps();

const db = () => deps.db.manager;
const dayOf = (month: number, day: number): Date => new Date(Date.UTC(2026, month, day, 12));
const clickedAt = dayOf(0, 1);
const signedUpAt = dayOf(0, 2);
/** Reports may come late; a member acts at the moment. */
const reportedAt = dayOf(7, 1);

/** A shop, a rival of its partner, and one customer: `user` to the shop, `cus_...` to Stripe. */
interface Setting {
  shop: StripeShop;
  rival: BuiltParticipant;
  clicks: Record<Partner, string>;
  cus: string;
  /** The ids of its payments, so that a repeat is the same payment. */
  id: (name: string) => string;
  model: CustomerModel;
  /** Reports that nothing credited when they were sent. */
  refused: Map<string, Sale>;
}

const kinds = [
  'signUp',
  'saleByClick',
  'saleByRivalsClick',
  'saleByCustomer',
  'checkout',
  'invoice',
  'rebind',
  'unbind',
] as const;
type Kind = (typeof kinds)[number];
interface Step {
  kind: Kind;
  /** Which of several of the kind, and in which month it happened. */
  n: number;
}

const contextOf = ({ shop }: Setting, now = reportedAt) => ({
  scope: shop.scope,
  now,
  actor: systemActor,
  requestId: undefined,
});

interface Sale {
  id: string;
  paidAt: Date;
  cents: number;
  by?: Partner;
}

/** One that nothing credits is refused, and sent again in the end, as a merchant would. */
async function report(setting: Setting, { id, paidAt, cents, by }: Sale): Promise<void> {
  const { model, refused } = setting;
  const kind = by ? ('click' as const) : ('report' as const);
  model.pay({ id, kind, paidAt, cents, ...(by ? { clicked: by } : {}) });
  try {
    await recordConversion(db(), contextOf(setting), {
      ...buildReport({ customerId: 'user', occurredAt: paidAt, amountCents: cents }),
      externalTransactionId: id,
      clickId: by ? setting.clicks[by] : null,
    });
    refused.delete(id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'NO_ATTRIBUTION_SIGNAL') return;
    model.refuse(id);
    refused.set(id, { id, paidAt, cents });
  }
}

async function sendRefusedAgain(setting: Setting): Promise<void> {
  for (const sale of [...setting.refused.values(), ...setting.refused.values()]) {
    await report(setting, sale);
    await setting.shop.followUp();
  }
}

function saleByClick(setting: Setting, step: Step, by: Partner): Promise<void> {
  const id = setting.id(`${step.kind}-${step.n}`);
  const paidAt = dayOf(step.n, by === 'partner' ? 5 : 6);
  return report(setting, { id, paidAt, cents: 10_000 + 100 * step.n, by });
}

/** Each does it, and tells the model. */
const steps: Record<Kind, (setting: Setting, step: Step) => Promise<unknown>> = {
  signUp: (setting, { n }) => {
    const isStripeNamed = n === 1;
    setting.model.signUp({ at: signedUpAt, now: reportedAt, isStripeNamed });
    return signUpCustomer(db(), contextOf(setting), {
      customerId: 'user',
      aliases: isStripeNamed ? [setting.cus] : [],
      clickId: setting.clicks.partner,
      promoCode: null,
      occurredAt: signedUpAt,
      prospect: null,
    });
  },
  saleByClick: (setting, step) => saleByClick(setting, step, 'partner'),
  saleByRivalsClick: (setting, step) => saleByClick(setting, step, 'rival'),
  saleByCustomer: (setting, step) => {
    const paidAt = dayOf(step.n, 7);
    return report(setting, { id: setting.id(`order-${step.n}`), paidAt, cents: 5_000 + step.n });
  },
  checkout: ({ shop, cus, id, model }, { n }) => {
    const [paymentIntent, at] = [id(`pi_${n}`), dayOf(n, 8)];
    const cents = 7_000 + 10 * n;
    model.pay({ id: paymentIntent, kind: 'checkout', paidAt: at, cents });
    const session = { session: id(`cs_test_${n}`), paymentIntent, reference: 'user' };
    return shop.send(checkoutCompleted({ ...session, customer: cus, amount: cents, at }));
  },
  invoice: ({ shop, cus, id, model }, { n }) => {
    const [invoice, paidAt] = [id(`in_${n}`), dayOf(n, 9)];
    const amount = 2_000 + 20 * n;
    model.pay({ id: invoice, kind: 'invoice', paidAt, cents: amount });
    const subscription = id('sub_1');
    return shop.send(invoicePaid({ invoice, customer: cus, subscription, paidAt, amount }));
  },
  rebind: (setting, { n }) => {
    const at = dayOf(n, 20);
    if (!setting.model.isNow(at)) return Promise.resolve();
    setting.model.bind({ partner: 'rival', at });
    return bindByHand(db(), contextOf(setting, at), {
      programId: setting.shop.program.id,
      participantId: setting.rival.id,
      name: 'user',
      reason: 'asked',
    });
  },
  unbind: (setting, { n }) => {
    const at = dayOf(n, 21);
    if (!setting.model.isNow(at)) return Promise.resolve();
    setting.model.unbind(at);
    const command = { programId: setting.shop.program.id, name: 'user' };
    return unbindByHand(db(), contextOf(setting, at), command);
  },
};

/** A refusal is an answer; anything else is a fault. */
async function take(setting: Setting, step: Step): Promise<void> {
  try {
    await steps[step.kind](setting, step);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  await setting.shop.followUp();
}

const anyStep = fc.record({ kind: fc.constantFrom(...kinds), n: fc.integer({ min: 0, max: 3 }) });
const anySteps = fc
  .array(fc.tuple(anyStep, fc.boolean()), { minLength: 3, maxLength: 12 })
  .map((all) => all.flatMap(([step, isTwice]) => (isTwice ? [step, step] : [step])));

const written = (...all: [Kind, number][]): [Step[]] => [all.map(([kind, n]) => ({ kind, n }))];
/** `npm test` draws the same sequences each time, the nightly run others; MODEL_SEED repeats a failure. */
const sequences = Number(process.env['CUSTOMER_SEQUENCES'] ?? 12);
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_124);
/** What has gone wrong, and is rarely drawn. */
const examples = [
  // A sale that is told late, from before a member unbound the customer.
  written(['signUp', 0], ['unbind', 1], ['saleByRivalsClick', 0], ['saleByCustomer', 2]),
  // An invoice that is told late, after a member bound the customer anew: the months are one count.
  written(['saleByClick', 0], ['checkout', 1], ['rebind', 3], ['invoice', 2]),
  // A sign-up that is told when a sale has bound anew whom a member took away.
  written(
    ['saleByRivalsClick', 0],
    ['unbind', 0],
    ['saleByRivalsClick', 1],
    ['checkout', 0],
    ['signUp', 0],
    ['signUp', 0],
  ),
  // A binding by hand is the first no more when an earlier sale by a click is told: what it had credited stays, nobody's.
  written(['rebind', 1], ['checkout', 0], ['saleByRivalsClick', 1], ['invoice', 0]),
];

async function buildSetting(terms: Terms): Promise<Setting> {
  const shop = await buildStripeShop(deps, terms);
  const rival = await buildParticipant(db(), { program: shop.program });
  const click = async (participant: BuiltParticipant) =>
    (await buildClick(db(), { participant, at: clickedAt, expiresAt: reportedAt })).id;
  const [own] = stripeId('x').split('_').slice(-1);
  return {
    shop,
    rival,
    clicks: { partner: await click(shop.participant), rival: await click(rival) },
    cus: stripeId('cus'),
    id: (name) => `${name}_${own ?? ''}`,
    model: new CustomerModel(terms, 20),
    refused: new Map(),
  };
}

/** Those of somebody: a sale whose credit was taken back stays, and counts as none. */
const salesOf = ({ shop, rival }: Setting) =>
  query<{ id: string }>(
    db(),
    `SELECT v.external_transaction_id AS id, v.occurred_at AS "paidAt", v.matched_by AS "matchedBy", m.amount_cents AS due,
            CASE WHEN v.participant_id = $2 THEN 'rival' ELSE 'partner' END AS partner
       FROM conversions AS v
       LEFT JOIN commissions AS m ON m.conversion_id = v.id AND m.credited
      WHERE v.workspace_id = $1 AND v.attributed ORDER BY v.external_transaction_id COLLATE "C"`,
    [shop.scope.workspaceId, rival.id],
  );

/** What is owed is what is due of it, whatever it was before; nothing is due of a sale that is nobody's. */
const unequalOf = ({ shop }: Setting) =>
  query(
    db(),
    `SELECT m.id FROM commissions AS m JOIN conversions AS v ON v.id = m.conversion_id
      WHERE m.workspace_id = $1
        AND (m.amount_cents <> (SELECT sum(l.amount_cents) FROM ledger_entries AS l
                                 WHERE l.commission_id = m.id AND l.type NOT IN ('payout', 'reversal'))
          OR m.credited AND NOT v.attributed
          OR NOT m.credited AND (m.amount_cents <> 0 OR m.status <> 'rejected'))`,
    [shop.scope.workspaceId],
  );

/** The shop's own; one whom Stripe alone has named is no matter of a partner's. */
const customersOf = ({ shop, rival }: Setting) =>
  query(
    db(),
    `SELECT u.first_paid_at AS "firstPaidAt", array_agg(a.alias ORDER BY a.alias DESC) AS names,
            CASE WHEN u.participant_id = $2 THEN 'rival'
                 WHEN u.participant_id IS NOT NULL THEN 'partner' END AS partner
       FROM customers AS u JOIN customer_aliases AS a ON a.customer = u.id
      WHERE u.workspace_id = $1 GROUP BY u.id HAVING 'user' = ANY (array_agg(a.alias))`,
    [shop.scope.workspaceId, rival.id],
  );

const expectedSalesOf = ({ model }: Setting) =>
  model.sales().sort((a, b) => (a.id < b.id ? -1 : 1));

function expectedCustomersOf({ model, cus }: Setting) {
  const names = model.names().map((name) => (name === 'cus' ? cus : name));
  if (names.length === 0) return [];
  return [{ firstPaidAt: model.firstPaidAt(), names, partner: model.partner() }];
}

describe('a customer, told in whatever order, once or twice (customers.md, History)', () => {
  it.each<Terms>([
    { recurring: true, recurringMonths: null },
    { recurring: true, recurringMonths: 2 },
    { recurring: false, recurringMonths: null },
  ])(
    'has one binding, one count of months, one commission a payment: %o',
    async (terms) => {
      await fc.assert(
        fc.asyncProperty(anySteps, async (all) => {
          const setting = await buildSetting(terms);
          for (const step of all) {
            await take(setting, step);
            expect(await customersOf(setting)).toEqual(expectedCustomersOf(setting));
          }
          await sendRefusedAgain(setting);
          expect(await salesOf(setting)).toEqual(expectedSalesOf(setting));
          expect(await unequalOf(setting)).toEqual([]);
        }),
        { numRuns: sequences, seed, examples },
      );
    },
    900_000,
  );
});

describe('a sale by the customer, while a member unbinds them', () => {
  /** Reads everything before the unbinding is committed, and tries once. */
  const sell = async (setting: Setting, id: string) => {
    const sale = buildReport({ customerId: 'user', externalTransactionId: setting.id(id) });
    const at = { occurredAt: dayOf(1, 1) };
    const [outcome] = await recordAll(db(), [submissionOf(contextOf(setting), { ...sale, ...at })]);
    return outcome;
  };
  const unbindAround = (setting: Setting, work: () => Promise<void>) =>
    transaction(db(), async (tx) => {
      const command = { programId: setting.shop.program.id, name: 'user' };
      await unbindByHand(tx, contextOf(setting, dayOf(1, 2)), command);
      await work();
    });
  /** Paid before the unbinding, and told after it: theirs whose the customer was. */
  const outOfOrder = { error: expect.any(OutOfOrderError) as unknown };
  const sellInOrder = (setting: Setting, id: string) =>
    recordConversion(db(), contextOf(setting), {
      ...buildReport({ customerId: 'user', externalTransactionId: setting.id(id) }),
      occurredAt: dayOf(1, 1),
    });

  it('is read again when it is the first payment', async () => {
    const setting = await buildSetting({ recurring: true, recurringMonths: null });
    await take(setting, { kind: 'signUp', n: 0 });
    await unbindAround(setting, async () => {
      expect(await sell(setting, 'a')).toEqual({ error: expect.any(RowsLockedError) as unknown });
    });
    expect(await sell(setting, 'a')).toEqual(outOfOrder);
    expect(await sellInOrder(setting, 'a')).toMatchObject({ attributed: true });
  });

  it('is read again when it is a later payment, which is counted with theirs', async () => {
    const setting = await buildSetting({ recurring: true, recurringMonths: null });
    await take(setting, { kind: 'signUp', n: 0 });
    await take(setting, { kind: 'saleByCustomer', n: 0 });
    await unbindAround(setting, async () => {
      expect(await sell(setting, 'a')).toEqual({ error: expect.any(RowsLockedError) as unknown });
    });
    expect(await sell(setting, 'a')).toEqual(outOfOrder);
    expect(await sellInOrder(setting, 'a')).toMatchObject({ attributed: true });
  });

  it.each<[string, (setting: Setting) => Promise<unknown>]>([
    ['a member binds them anew', (setting) => take(setting, { kind: 'rebind', n: 4 })],
    [
      'a payment before their first is recorded',
      (setting) => report(setting, { id: 'early', paidAt: dayOf(0, 3), cents: 100, by: 'partner' }),
    ],
  ])('writes nothing by what it read before %s', async (_, happen) => {
    const setting = await buildSetting({ recurring: true, recurringMonths: null });
    await take(setting, { kind: 'signUp', n: 0 });
    await take(setting, { kind: 'saleByCustomer', n: 0 });
    // A lead: what is no payment writes nothing of the customer, and is not counted.
    const late = buildReport({ customerId: 'user', occurredAt: dayOf(6, 1), amountCents: 0 });
    const submission = submissionOf(contextOf(setting), late);
    const plan = async () => planReport(submission, (await readFacts(db(), [submission]))[0]);
    const before = await plan();
    await happen(setting);

    const written = await writeConversions(db(), [before], { waits: false });
    expect(written).toEqual({ isWritten: false, locked: new Set() });
    const again = await writeConversions(db(), [await plan()], { waits: false });
    expect(again).toEqual({ isWritten: true, locked: new Set() });
  });
});
