import Stripe from 'stripe';
import { applyInTransaction } from '../../../activities/billing/payments/apply';
import { createDatabase } from '../../../entities/database/database';
import { execute } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { promoCodeKey } from '../../../entities/rules/partners/referral-code';
import { processorActor } from '../../../entities/rules/values/actor';
import { readStripeFacts } from '../../../entities/rules/stripe/read-event';
import { fire, type Scene, type Target } from './scene';

/** The refunds are made once: whoever makes them while it measures the others measures itself. */
const refunds = JSON.stringify(
  Array.from({ length: 20_000 }, (_one, n) => ({ id: `re_3SkQ2bLy8aFfGhJk_${n}` })),
);

export function sendRefunds(scene: Scene): Promise<void> {
  const object = `{"id":"ch_${newId()}","object":"charge","refunds":{"data":${refunds}}}`;
  return sendEvent(scene, 'charge.refunded', object);
}

function sendEvent(scene: Scene, type: string, object: string, at = new Date()): Promise<void> {
  const { path, secret } = scene.stripe;
  const payload = `{"id":"evt_${newId()}","object":"event","type":"${type}","livemode":true,"created":${seconds(at)},"data":{"object":${object}}}`;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  const headers = { 'Stripe-Signature': signature, 'Content-Type': 'application/json' };
  return fire(scene, { path, headers, body: payload });
}

/** The seconds in which Stripe tells times. */
function seconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

const invoicesOfOne = 200;
const atOnce = 4;
/** Customers without a referred payment. */
const customers: string[] = [];

/** Makes paid invoices as events have left them, of one customer for each second of the attack. */
export async function openPayments(target: Target, wanted: number): Promise<void> {
  const { programId, workspaceId, participantId, ref } = target.mallory;
  const db = createDatabase({ url: target.databaseUrl, poolSize: atOnce });
  await execute(db.manager, 'UPDATE programs SET recurring = true WHERE id = $1', [programId]);
  await execute(
    db.manager,
    `INSERT INTO promo_codes (id, workspace_id, mode, program_id, participant_id, code, created_at)
     VALUES ($1, $2, 'live', $3, $4, $5, now() - interval '1 day') ON CONFLICT DO NOTHING`,
    [newId(), workspaceId, programId, participantId, promoCodeKey(ref)],
  );
  const scope = { workspaceId, mode: 'live' as const };
  const pay = async (customer: string): Promise<void> => {
    for (let n = 0; n < invoicesOfOne; n += 1) {
      const now = new Date();
      const facts = readStripeFacts(invoicePaid(customer, now), now.toISOString());
      if (!facts) throw new Error('an invoice without facts');
      const context = { scope, actor: processorActor, now };
      await applyInTransaction(db.manager, context, { biller: 'stripe', facts, prospect: null });
    }
    customers.push(customer);
  };
  while (customers.length < wanted) {
    await Promise.all(Array.from({ length: atOnce }, () => pay(`cus_${newId()}`)));
  }
  await db.destroy();
}

function invoicePaid(customer: string, at: Date) {
  const paidAt = seconds(at);
  const object = {
    id: `in_${newId()}`,
    object: 'invoice',
    customer,
    currency: 'usd',
    billing_reason: 'subscription_cycle',
    amount_paid: 2_000,
    total: 2_000,
    subtotal: 2_000,
    status_transitions: { paid_at: paidAt },
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: `sub_of_${customer}` },
    },
  };
  return { type: 'invoice.paid', created: paidAt, data: { object } };
}

const hourMs = 3_600_000;

/** The first payment that is referred makes renewals of all that were paid after it. */
export function renewPayments(scene: Scene): Promise<void> {
  const customer = customers.pop();
  if (!customer) return Promise.resolve();
  const session = {
    id: `cs_${newId()}`,
    object: 'checkout.session',
    payment_status: 'paid',
    amount_total: 2_000,
    currency: 'usd',
    customer,
    subscription: `sub_of_${customer}`,
    discounts: [{ promotion_code: { id: 'promo_of_mallory', code: scene.mallory.ref } }],
  };
  const before = new Date(Date.now() - hourMs);
  return sendEvent(scene, 'checkout.session.completed', JSON.stringify(session), before);
}
