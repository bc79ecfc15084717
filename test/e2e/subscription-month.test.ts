import type Stripe from 'stripe';
import { withClick } from '../../packages/client/src/stripe';
import { startTestApp, type TestApp } from '../support/app';
import type { ApiResponse, Caller } from '../support/api-client';
import { buildApiKey, buildMember } from '../support/build/accounts';
import { buildParticipant, buildProgram } from '../support/build/programs';
import { callerOf } from '../support/callers';
import {
  chargeRefunded,
  chargeSucceeded,
  checkoutCompleted,
  disputeClosed,
  disputeCreated,
  invoicePaid,
  stripeId,
} from '../support/stripe/events';
import { oldShape, type StripeTestEvent } from '../support/stripe/fixtures';
import { signatureOf } from '../support/stripe/shop';
import { startStripeWorker, type StripeWorker } from '../support/stripe/worker';

// A shop's months with Stripe, through signed events over HTTP, workflows on a real Temporal server
// and the API. One partner earns 20 % of what is paid without tax, of renewals too.

let app: TestApp;
let worker: StripeWorker;
let merchant: Caller;
let key: Caller;
let eventsPath: string;
let click: string;
let program: { id: string };
let participant: { id: string };

beforeAll(async () => {
  app = await startTestApp();
  worker = await startStripeWorker(app.deps);
  const db = app.deps.db.manager;
  const member = await buildMember(db);
  const { workspaceId } = member;
  merchant = await callerOf(app, member, 'test');
  key = app.client.as((await buildApiKey(db, { workspaceId, kind: 'secret', mode: 'test' })).key);

  const built = await buildProgram(db, { workspaceId, mode: 'test', recurring: true });
  const partner = await buildParticipant(db, { program: built, referralCode: 'anna' });
  program = built;
  participant = partner;
  const publicKey = await buildApiKey(db, { workspaceId, kind: 'public', mode: 'test' });
  const clicked = await app.client
    .as(publicKey.key)
    .post<{ click_id: string }>('/v1/clicks', { ref: 'anna' }, { headers: browser });
  expect(clicked.status).toBe(201);
  click = clicked.body.click_id;

  const connected = await merchant.put<{ url: string }>('/api/v1/workspace/stripe', {
    webhookSecret: secret,
  });
  eventsPath = new URL(connected.body.url).pathname;
}, 60_000);
afterAll(async () => {
  await worker.stop();
  await app.close();
});

const secret = 'whsec_of_the_month';
const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36' };

/** Stripe's part: signs, sends (each event twice, as Stripe may), and the workflows run. */
async function stripe(...events: StripeTestEvent[]): Promise<void> {
  for (const event of events) {
    const body = JSON.stringify(event);
    for (let time = 1; time <= 2; time += 1) {
      const response = await fetch(app.url + eventsPath, {
        method: 'POST',
        headers: { 'Stripe-Signature': signatureOf(body, { secret }) },
        body,
      });
      expect(response.status).toBe(200);
    }
  }
  const handles = await worker.relay();
  await Promise.all(handles.map((handle) => handle.result()));
  const stored = await merchant.get<{ data: { status: string }[] }>(
    '/api/v1/workspace/stripe/events?limit=100',
  );
  expect(new Set(stored.body.data.map(({ status }) => status))).toEqual(new Set(['processed']));
}

interface Balance {
  pendingCents: number;
  approvedCents: number;
  inPayoutCents: number;
  paidCents: number;
  debtCents: number;
}

async function expectBalance(expected: Partial<Balance>): Promise<void> {
  const path = `/api/v1/programs/${program.id}/partners/${participant.id}/balance`;
  const { body } = await merchant.get<{ balances: Balance[] }>(path);
  const nothing = {
    pendingCents: 0,
    approvedCents: 0,
    inPayoutCents: 0,
    paidCents: 0,
    debtCents: 0,
    importedCents: 0,
    paidElsewhereCents: 0,
  };
  expect(body.balances).toEqual([{ currency: 'usd', ...nothing, ...expected }]);
}

interface Commission extends Record<string, unknown> {
  id: string;
  status: string;
}

/** The hold of every pending commission ends now; each is approved by itself. */
async function endHolds(): Promise<void> {
  const path = `/api/v1/programs/${program.id}/commissions`;
  const { body } = await merchant.get<{ data: Commission[] }>(`${path}?status=pending&limit=100`);
  for (const { id } of body.data) {
    expect((await merchant.post(`${path}/${id}/elapse-hold`)).status).toBe(200);
  }
}

async function commissionOf(transactionId: string): Promise<Commission | undefined> {
  const { body } = await merchant.get<{ data: Commission[] }>(
    `/api/v1/commissions?search=${transactionId}`,
  );
  return body.data[0];
}

const payOut = (): Promise<ApiResponse<{ id: string; code?: string }>> =>
  merchant.post('/api/v1/payouts', { programId: program.id });
const complete = (id: string): Promise<ApiResponse> =>
  merchant.post(`/api/v1/payouts/${id}/complete`);

/** What the shop's server gives to Stripe with the session comes back in Stripe's events. */
function checkoutOf(mode: 'subscription' | 'payment') {
  const params = withClick<Stripe.Checkout.SessionCreateParams>({ mode }, click);
  const { aff_click_id: carried } = params.metadata || {};
  return { click: String(carried), reference: params.client_reference_id ?? '' };
}

/** A customer with a subscription of 30.00 a month, 6.30 of tax on top. */
function subscriber() {
  const ids = { customer: stripeId('cus'), subscription: stripeId('sub') };
  const price = { amount: 3_000, tax: 630 };
  return {
    /** The checkout and its first invoice: one payment. */
    start: (at: Date) => {
      const payment = newPayment();
      return {
        ...payment,
        events: [
          checkoutCompleted({
            ...ids,
            ...price,
            invoice: payment.invoice,
            paymentIntent: null,
            ...checkoutOf('subscription'),
            at,
          }),
          invoicePaid({ ...ids, ...price, ...payment, version: oldShape, paidAt: at }),
          chargeSucceeded({ ...payment, amount: 3_630 }),
        ],
      };
    },
    /** A later invoice, without any signal of its own. */
    pay: (paidAt: Date, { amount, tax } = price) => {
      const payment = newPayment();
      return {
        ...payment,
        events: [
          chargeSucceeded({ ...payment, amount: amount + tax }),
          invoicePaid({ ...ids, amount, tax, ...payment, version: oldShape, paidAt }),
        ],
      };
    },
  };
}

const newPayment = () => ({
  invoice: stripeId('in'),
  paymentIntent: stripeId('pi'),
  charge: stripeId('ch'),
});

const later = (days: number): Date => new Date(Date.now() + days * 86_400_000);

it('ends in exactly the balances computed by hand', async () => {
  const anna = subscriber();
  const ben = subscriber();

  // Checkouts. Anna's and Ben's first 30.00 earn 6.00 each; a one-off of 100.00 earns 20.00.
  const annaFirst = anna.start(new Date());
  const benFirst = ben.start(new Date());
  const oneOff = newPayment();
  await stripe(...annaFirst.events, ...benFirst.events);
  await stripe(
    checkoutCompleted({
      ...checkoutOf('payment'),
      paymentIntent: oneOff.paymentIntent,
      amount: 10_000,
    }),
  );
  await expectBalance({ pendingCents: 600 + 600 + 2_000 });

  // The shop's server reports the one-off too: it is the same payment.
  const report = await key.post('/api/v1/conversions', {
    external_transaction_id: oneOff.paymentIntent,
    event_type: 'purchase',
    click_id: click,
    amount_cents: 10_000,
    currency: 'usd',
  });
  expect(report.status).toBe(409);

  // A month later both renew: 6.00 each. Anna upgrades for 15.00 more this month: 3.00.
  const annaRenewal = anna.pay(later(30));
  const benRenewal = ben.pay(later(30));
  const upgrade = anna.pay(later(40), { amount: 1_500, tax: 315 });
  await stripe(...annaRenewal.events, ...upgrade.events, ...benRenewal.events);
  await expectBalance({ pendingCents: 3_200 + 600 + 600 + 300 });

  // 25.00 of the one-off's 100.00 come back: a quarter of 20.00 is gone.
  await stripe(chargeRefunded({ ...oneOff, refunded: 2_500 }));
  await expectBalance({ pendingCents: 4_700 - 500 });

  // Ben disputes his first payment, and loses: meanwhile its 6.00 count nowhere.
  const dispute = { ...benFirst, dispute: stripeId('du'), amount: 3_630 };
  await stripe(disputeCreated(dispute));
  await expectBalance({ pendingCents: 4_200 - 600 });
  await stripe(disputeClosed({ ...dispute, status: 'won' }));
  await expectBalance({ pendingCents: 4_200 });

  // Ben disputes his renewal, and wins: its 6.00 are gone for good.
  const second = { ...benRenewal, dispute: stripeId('du'), amount: 3_630 };
  await stripe(disputeCreated(second));
  await stripe(disputeClosed({ ...second, status: 'lost' }));
  await expectBalance({ pendingCents: 4_200 - 600 });
  expect(await commissionOf(benRenewal.paymentIntent)).toMatchObject({ status: 'refunded' });

  // The holds end: 6.00 + 6.00 + 15.00 + 6.00 + 3.00 are approved, and paid out.
  await endHolds();
  await expectBalance({ approvedCents: 3_600 });
  const first = await payOut();
  expect(first.status).toBe(201);
  await expectBalance({ inPayoutCents: 3_600 });
  await complete(first.body.id);
  await expectBalance({ paidCents: 3_600 });

  // After the payout Anna's renewal is refunded whole: the partner owes its 6.00.
  await stripe(chargeRefunded({ ...annaRenewal, amount: 3_630, refunded: 3_630 }));
  await expectBalance({ paidCents: 3_600, debtCents: 600 });
  expect(await commissionOf(annaRenewal.paymentIntent)).toMatchObject({
    status: 'paid',
    amountCents: 0,
  });

  // Ben's next renewal earns 6.00, which the debt eats up: there is nothing to pay.
  await stripe(...ben.pay(later(60)).events);
  await endHolds();
  await expectBalance({ approvedCents: 600, paidCents: 3_600, debtCents: 600 });
  expect((await payOut()).body.code).toBe('PAYOUT_EMPTY');

  // Anna renews at the new price of 40.00: 8.00. Paid out are 6.00 + 8.00 - 6.00.
  await stripe(...anna.pay(later(60), { amount: 4_000, tax: 840 }).events);
  await endHolds();
  const last = await payOut();
  await complete(last.body.id);
  await expectBalance({ paidCents: 3_600 + 800 });
}, 120_000);
