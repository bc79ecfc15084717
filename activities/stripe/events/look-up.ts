import { readCharge, type ChargeFact } from '../../../entities/rules/stripe/charge-fact';
import {
  hasSignal,
  isPaid,
  paymentFactsOf,
  signalsOf,
} from '../../../entities/rules/stripe/classify';
import type { StripeFacts } from '../../../entities/rules/stripe/read-event';
import { feeOf } from '../../../entities/rules/stripe/fee';
import { idAt, isJson, listAt, textAt } from '../../../entities/rules/stripe/json';
import {
  known,
  linksOfInvoicePayment,
  promotionsOf,
  type PaymentFact,
  type Promotion,
} from '../../../entities/rules/stripe/payment-fact';
import type { StripeObject } from '../../../entities/rules/stripe/settlement';
import type { StripeClient } from '../../../runtime/connections/stripe';
import { createAsker, type Asker, type StripeRead } from './asker';
import { withCheckout } from './look-up-checkout';

export interface LookupRequest {
  facts: StripeFacts;
  /** What is stored of the same payment already. */
  stored: StripeObject[];
  /** The payment is a conversion already, so that its fee matters. */
  isConversion: boolean;
  /** ISO; the time as of which a charge was looked up. */
  at: string;
}

export interface LookupResult {
  facts: StripeFacts;
  /** What Stripe would not let the stored key read, and what it did. */
  refused: StripeRead[];
  answered: StripeRead[];
}

/**
 * Asks Stripe for what an event leaves out: the payment intent of a new-shape invoice, the text of
 * promotion codes, the fee of a charge. Network only: call it before the transaction. Throws when
 * Stripe does not answer, so that the event is tried again.
 */
export async function lookUp(client: StripeClient, request: LookupRequest): Promise<LookupResult> {
  const asker = createAsker(client);
  const checkedOut = await withCheckout(asker, request);
  const joined = await withLinks(asker, { ...request, facts: checkedOut });
  const named = { ...joined, objects: await withCodes(asker, joined.objects) };
  const facts = await withFees(asker, { ...request, facts: named });
  return { facts, refused: [...asker.refused], answered: [...asker.answered] };
}

/** Joins an invoice to its payment intent or charge, when nothing has yet. */
async function withLinks(asker: Asker, { facts, stored }: LookupRequest): Promise<StripeFacts> {
  const ids = [...facts.ids, ...stored.map(({ id }) => id)];
  const isPayment = paymentFactsOf(facts.objects).some(isPaid);
  const invoice = ids.find((id) => id.startsWith('in_'));
  if (!isPayment || !invoice || ids.some(isIntentOrCharge)) return facts;

  const payments = await asker.ask('invoices', (client) =>
    client.invoicePayments.list({ invoice, limit: 10 }),
  );
  const links = (payments?.data ?? [])
    .filter((payment) => textAt(payment, 'status') === 'paid')
    .flatMap(linksOfInvoicePayment);
  return { ...facts, ids: known([...facts.ids, ...links]) };
}

function isIntentOrCharge(id: string): boolean {
  return /^(pi|ch|py)_/.test(id);
}

/** Puts the text of promotion codes into the payments that name them by id, or not at all. */
async function withCodes(asker: Asker, objects: StripeObject[]): Promise<StripeObject[]> {
  const named: StripeObject[] = [];
  for (const { id, fact } of objects) {
    const isPayment = fact?.kind === 'session' || fact?.kind === 'invoice';
    named.push({ id, fact: isPayment ? await withCode(asker, id, fact) : fact });
  }
  return named;
}

async function withCode(asker: Asker, id: string, fact: PaymentFact): Promise<PaymentFact> {
  const given = fact.hidesPromotions ? await hiddenPromotions(asker, id, fact) : fact.promotions;
  const promotions: Promotion[] = [];
  for (const promotion of given) {
    const { id: promotionId, code } = promotion;
    if (code !== null || promotionId === null) {
      promotions.push(promotion);
      continue;
    }
    const found = await asker.ask('promotion codes', (client) =>
      client.promotionCodes.retrieve(promotionId),
    );
    promotions.push({ id: promotionId, code: textAt(found, 'code') });
  }
  return { ...fact, promotions };
}

/** Events hold discounts as bare ids, or not at all; read alone, the object can be expanded. */
async function hiddenPromotions(
  asker: Asker,
  id: string,
  { kind }: PaymentFact,
): Promise<Promotion[]> {
  const expand = ['discounts.promotion_code'];
  const object = await asker.ask<{ discounts?: unknown }>(
    kind === 'session' ? 'checkout sessions' : 'invoices',
    (client) =>
      kind === 'session'
        ? client.checkout.sessions.retrieve(id, { expand })
        : client.invoices.retrieve(id, { expand }),
  );
  return promotionsOf(listAt(object, 'discounts'));
}

/** Reads the fee of charges that matter: those of a conversion, or of a payment that may be one. */
async function withFees(asker: Asker, request: LookupRequest): Promise<StripeFacts> {
  const { facts, stored, isConversion, at } = request;
  if (!isConversion && !mayBeOurs(facts)) return facts;

  const charges = chargesOf([...stored, ...facts.objects]);
  const ids = [...facts.ids, ...stored.map(({ id }) => id)];
  const found =
    charges.length === 0
      ? await readWithFee(asker, await chargeOf(asker, ids), at)
      : await missingFees(asker, charges);
  return {
    ...facts,
    ids: known([...facts.ids, ...found.map(({ id }) => id)]),
    objects: [...facts.objects, ...found],
  };
}

function mayBeOurs({ objects }: StripeFacts): boolean {
  return paymentFactsOf(objects)
    .filter(isPaid)
    .some((fact) => fact.subscriptionId !== null || hasSignal(signalsOf([fact])));
}

interface Charge {
  id: string;
  fact: ChargeFact;
}

function chargesOf(objects: readonly StripeObject[]): Charge[] {
  return objects.flatMap(({ id, fact }) => (fact?.kind === 'charge' ? [{ id, fact }] : []));
}

/** Those of the charges of which no object knows the fee, with it. */
async function missingFees(asker: Asker, charges: readonly Charge[]): Promise<StripeObject[]> {
  const withFees = new Set(charges.flatMap(({ id, fact }) => (fact.feeCents === null ? [] : [id])));
  const found: StripeObject[] = [];
  for (const { id, fact } of charges) {
    if (withFees.has(id) || !fact.balanceTransactionId) continue;
    found.push({ id, fact: await withFee(asker, fact, fact.balanceTransactionId) });
  }
  return found;
}

/** The charge itself, by its id or as the latest of its payment intent. */
async function chargeOf(asker: Asker, ids: string[]): Promise<unknown> {
  const expand = ['balance_transaction'];
  const chargeId = ids.find((id) => id.startsWith('ch_') || id.startsWith('py_'));
  if (chargeId)
    return asker.ask('charges', (client) => client.charges.retrieve(chargeId, { expand }));
  const intentId = ids.find((id) => id.startsWith('pi_'));
  if (!intentId) return undefined;
  const intent = await asker.ask('payment intents', (client) =>
    client.paymentIntents.retrieve(intentId, { expand: ['latest_charge.balance_transaction'] }),
  );
  const latest = intent?.latest_charge;
  if (typeof latest !== 'string') return latest;
  return asker.ask('charges', (client) => client.charges.retrieve(latest, { expand }));
}

/** Refunds come by events alone: a charge read now would be ahead of those under way. */
async function readWithFee(asker: Asker, charge: unknown, at: string): Promise<StripeObject[]> {
  const id = idAt(charge, 'id');
  if (!isJson(charge) || id === null) return [];
  const read: ChargeFact = { ...readCharge(charge, at), snapshots: [] };
  if (!read.succeeded) return [];
  const { feeCents, balanceTransactionId } = read;
  const isComplete = feeCents !== null || balanceTransactionId === null;
  return [{ id, fact: isComplete ? read : await withFee(asker, read, balanceTransactionId) }];
}

async function withFee(asker: Asker, charge: ChargeFact, id: string): Promise<ChargeFact> {
  const transaction = await asker.ask('balance transactions', (client) =>
    client.balanceTransactions.retrieve(id),
  );
  return { ...charge, feeCents: feeOf(transaction, charge) };
}
