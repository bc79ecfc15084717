import { readCharge, type ChargeFact } from '../../../entities/rules/stripe/charge-fact';
import { isPaid, paymentFactsOf } from '../../../entities/rules/stripe/classify';
import type { StripeFacts } from '../../../entities/rules/stripe/read-event';
import { balanceIn, feeOf } from '../../../entities/rules/stripe/fee';
import { idAt, isJson, textAt } from '../../../entities/rules/billing/json';
import { known, linksOfInvoicePayment } from '../../../entities/rules/stripe/payment-fact';
import type { StripeObject } from '../../../entities/rules/stripe/settlement';
import type { StripeClient } from '../../../runtime/connections/stripe';
import type { LookupRequest, LookupResult } from '../reader';
import { createReader, type Reader } from './look-up-reader';
import { withCheckout, withCheckoutOfCharge } from './look-up-checkout';
import { withItems } from './look-up-items';
import { withCodes } from './look-up-codes';

/** The request in Stripe's own words. */
export interface StripeLookup extends LookupRequest {
  facts: StripeFacts;
  stored: StripeObject[];
  isOurs(facts: StripeFacts): Promise<boolean>;
}

/** Waits until the connection may read once more. */
export type Pace = () => Promise<void>;

/**
 * Asks Stripe for what an event leaves out: the text of promotion codes, the checkout and the payment
 * intent of an invoice, the invoice of a refund or dispute, the fee of a charge. Network only: call it
 * before the transaction. Throws when Stripe does not answer, so that the event is tried again.
 */
export async function lookUp(
  client: StripeClient,
  pace: Pace,
  request: StripeLookup,
): Promise<LookupResult> {
  const reader = createReader(client, pace);
  const facts = await complete(reader, request);
  return { facts, refused: [...reader.refused], answered: [...reader.answered] };
}

async function complete(reader: Reader, request: StripeLookup): Promise<StripeFacts> {
  const { isConversion, stored, hasCodes } = request;
  const returned = await withInvoiceOfCharge(reader, request);
  const facts = hasCodes ? await withCodes(reader, returned) : returned;
  const matters = isConversion || (await request.isOurs(facts));
  if (!matters) return facts;

  const checkedOut = await withCheckout(reader, { ...request, facts });
  const charged = await withCheckoutOfCharge(reader, { ...request, facts: checkedOut });
  const joined = await withLinks(reader, { stored, facts: charged });
  const isPayment = paymentFactsOf(joined.objects).some(isPaid);
  const sold =
    isPayment && request.asksItems ? await withItems(reader, { facts: joined, stored }) : joined;
  return isConversion || isPayment ? withFees(reader, { ...request, facts: sold }) : sold;
}

/**
 * The facts with the invoice of their charge. Since 2025-03-31 neither a charge names its invoice
 * nor an invoice its charge: for money that came back, and for what no event has joined to a
 * session or an invoice, Stripe is asked from the charge's side.
 */
async function withInvoiceOfCharge(
  reader: Reader,
  { facts, stored, isConversion }: StripeLookup,
): Promise<StripeFacts> {
  const ids = [...facts.ids, ...stored.map(({ id }) => id)];
  const isJoined = isConversion || ids.some((id) => /^(in|cs)_/.test(id));
  if (isJoined || !facts.objects.some(mayReturnMoney)) return facts;

  const intent = ids.find((id) => id.startsWith('pi_'));
  if (!intent) return facts;
  const payments = await reader.ask('invoices', (client) =>
    client.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intent },
      limit: 10,
    }),
  );
  if (!payments) return facts;
  const invoices = payments.data.flatMap((payment) => idAt(payment, 'invoice') ?? []);
  if (invoices.length === 0) return { ...facts, withoutInvoice: true };
  return { ...facts, ids: known([...facts.ids, ...invoices]) };
}

/** A sale by its own metadata, too: an invoice's signals come before its charge's. */
function mayReturnMoney({ fact }: StripeObject): boolean {
  if (fact?.kind === 'refund' || fact?.kind === 'dispute') return true;
  if (fact?.kind !== 'charge') return false;
  return fact.sale !== undefined || fact.snapshots.some(({ refundedCents }) => refundedCents > 0);
}

/** Joins an invoice to its payment intent or charge, when nothing has yet. */
async function withLinks(
  reader: Reader,
  { facts, stored }: Pick<StripeLookup, 'facts' | 'stored'>,
): Promise<StripeFacts> {
  const ids = [...facts.ids, ...stored.map(({ id }) => id)];
  const isPayment = paymentFactsOf(facts.objects).some(isPaid);
  const invoice = ids.find((id) => id.startsWith('in_'));
  if (!isPayment || !invoice || ids.some(isIntentOrCharge)) return facts;

  const payments = await reader.ask('invoices', (client) =>
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

/** Reads the fee of charges that matter: those of a conversion, or of a payment that may be one. */
async function withFees(
  reader: Reader,
  { facts, stored, at }: Pick<StripeLookup, 'facts' | 'stored' | 'at'>,
): Promise<StripeFacts> {
  const charges = chargesOf([...stored, ...facts.objects]);
  const ids = [...facts.ids, ...stored.map(({ id }) => id)];
  const found =
    charges.length === 0
      ? await readWithFee(reader, await chargeOf(reader, ids), at)
      : await missingFees(reader, charges);
  return {
    ...facts,
    ids: known([...facts.ids, ...found.map(({ id }) => id)]),
    objects: [...facts.objects, ...found],
  };
}

interface Charge {
  id: string;
  fact: ChargeFact;
}

function chargesOf(objects: readonly StripeObject[]): Charge[] {
  return objects.flatMap(({ id, fact }) => (fact?.kind === 'charge' ? [{ id, fact }] : []));
}

/** The charges of which no object knows the fee, with the fee that Stripe tells. */
async function missingFees(reader: Reader, charges: readonly Charge[]): Promise<StripeObject[]> {
  const withFees = new Set(charges.flatMap(({ id, fact }) => (fact.feeCents === null ? [] : [id])));
  const found: StripeObject[] = [];
  for (const { id, fact } of charges) {
    if (withFees.has(id) || !fact.balanceTransactionId) continue;
    found.push({ id, fact: await withFee(reader, fact, fact.balanceTransactionId) });
  }
  return found;
}

/** The charge itself, by its id or as the latest of its payment intent. */
async function chargeOf(reader: Reader, ids: string[]): Promise<unknown> {
  const expand = ['balance_transaction'];
  const chargeId = ids.find((id) => id.startsWith('ch_') || id.startsWith('py_'));
  if (chargeId)
    return reader.ask('charges', (client) => client.charges.retrieve(chargeId, { expand }));
  const intentId = ids.find((id) => id.startsWith('pi_'));
  if (!intentId) return undefined;
  const intent = await reader.ask('payment intents', (client) =>
    client.paymentIntents.retrieve(intentId, { expand: ['latest_charge.balance_transaction'] }),
  );
  const latest = intent?.latest_charge;
  if (typeof latest !== 'string') return latest;
  return reader.ask('charges', (client) => client.charges.retrieve(latest, { expand }));
}

/** Refunds come by events alone: a charge read now would be ahead of those under way. */
async function readWithFee(reader: Reader, charge: unknown, at: string): Promise<StripeObject[]> {
  const id = idAt(charge, 'id');
  if (!isJson(charge) || id === null) return [];
  const read: ChargeFact = { ...readCharge(charge, at), snapshots: [] };
  if (!read.succeeded) return [];
  const { feeCents, balanceTransactionId } = read;
  const isComplete = feeCents !== null || balanceTransactionId === null;
  return [{ id, fact: isComplete ? read : await withFee(reader, read, balanceTransactionId) }];
}

async function withFee(reader: Reader, charge: ChargeFact, id: string): Promise<ChargeFact> {
  const transaction = await reader.ask('balance transactions', (client) =>
    client.balanceTransactions.retrieve(id),
  );
  return { ...charge, feeCents: feeOf(transaction, charge), ...balanceIn(transaction) };
}
