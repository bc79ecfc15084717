import fc from 'fast-check';
import { readCharge, readDispute, readRefund } from '../../../entities/rules/stripe/charge-fact';
import { feeOf } from '../../../entities/rules/stripe/fee';
import type { Json } from '../../../entities/rules/billing/json';
import { readInvoice, readSession } from '../../../entities/rules/stripe/payment-fact';
import { readStripeFacts } from '../../../entities/rules/stripe/read-event';
import { mergeFacts } from '../../../entities/rules/stripe/read-event';
import { settlementOf } from '../../../entities/rules/stripe/settlement';

const at = '2026-01-01T00:00:00.000Z';
const captureAt = '2026-01-01T12:00:00.000Z';
const later = '2026-01-02T00:00:00.000Z';

function charge(captured: number, refunded: number, more: Json = {}): Json {
  return {
    id: 'ch_1',
    amount: 10_000,
    amount_captured: captured,
    captured: captured > 0,
    amount_refunded: refunded,
    currency: 'usd',
    status: 'succeeded',
    ...more,
  };
}

describe('a charge of which a part was captured', () => {
  const settled = (...objects: { id: string; fact: ReturnType<typeof readCharge> }[]) =>
    settlementOf(objects);

  it.each([
    ['nothing given back', 6_000, 4_000, 6_000, 0],
    ['half of it given back', 6_000, 7_000, 6_000, 3_000],
    ['all given back', 6_000, 10_000, 6_000, 6_000],
    ['captured whole', 10_000, 2_500, 10_000, 2_500],
    ['captured beyond what was authorised', 12_000, 2_500, 12_000, 2_500],
    ['not captured, and released', 0, 10_000, 10_000, 10_000],
  ])(
    'counts only the captured part: %s',
    (_name, captured, refunded, chargeCents, refundedCents) => {
      const fact = readCharge(charge(captured, refunded), at);
      expect(settled({ id: 'ch_1', fact })).toMatchObject({ chargeCents, refundedCents });
    },
  );

  it.each([
    ['a part of it', 2_500, false, 2_500],
    ['all of it', 6_000, true, 6_000],
  ])(
    'and of which %s is given back, the rest not shown as refunded',
    (_name, back, refunded, cents) => {
      const fact = readCharge(charge(6_000, back, { refunded }), at);
      expect(settled({ id: 'ch_1', fact })).toMatchObject({
        chargeCents: 6_000,
        refundedCents: cents,
      });
    },
  );

  it.each([2_500, 4_000, 5_000, 6_000])(
    'and of which %s is given back, after its capture showed nothing as refunded',
    (back) => {
      const captured = readCharge(charge(6_000, 0), at);
      const after = readCharge(charge(6_000, back), later);
      const refund = readRefund({ amount: back, status: 'succeeded', charge: 'ch_1' }, later);
      for (const fact of [mergeFacts(captured, after), mergeFacts(after, captured)]) {
        const objects = [
          { id: 'ch_1', fact },
          { id: 're_1', fact: refund },
        ];
        expect(settlementOf(objects)).toMatchObject({ chargeCents: 6_000, refundedCents: back });
      }
    },
  );

  it('is the same share of what was captured, whatever Stripe lists, in any order', () => {
    const amounts = fc.integer({ min: 2, max: 10_000 }).chain((c) =>
      fc.tuple(
        fc.constant(c),
        fc.integer({ min: 1, max: c }),
        // What had been captured before the last step; nothing for most charges.
        fc.oneof(fc.constant(0), fc.integer({ min: 0, max: c - 1 })),
      ),
    );
    fc.assert(
      fc.property(
        amounts,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        ([captured, back, part], isRestShown, listed, reversed) => {
          const released = isRestShown ? 10_000 - captured : 0;
          const events = [
            readCharge(charge(part, 0), at),
            readCharge(charge(captured, released), captureAt),
            readCharge(charge(captured, released + back), later),
          ];
          const merged = (reversed ? events.reverse() : events).reduce<
            ReturnType<typeof mergeFacts>
          >(mergeFacts, null);
          const refund = (id: string, amount: number) => ({
            id,
            fact: readRefund({ id, amount, status: 'succeeded', charge: 'ch_1' }, later),
          });
          const objects = [
            { id: 'ch_1', fact: merged },
            refund('re_1', back),
            ...(listed && released > 0 ? [refund('re_0', released)] : []),
          ];
          expect(settlementOf(objects)).toMatchObject({
            chargeCents: captured,
            refundedCents: back,
          });
        },
      ),
    );
  });
});

describe('a currency without a minor unit that Stripe tells in hundredths', () => {
  it.each(['isk', 'ugx'])('%s is told in whole units', (currency) => {
    const session = { currency, amount_total: 500_000, payment_status: 'paid' };
    expect(readSession(session, at, true)).toMatchObject({
      amountCents: 5_000,
      chargedCents: 5_000,
    });
    const invoice = {
      currency,
      total: 500_000,
      total_excluding_tax: 400_000,
      amount_paid: 500_000,
    };
    expect(readInvoice(invoice, at, true)).toMatchObject({
      amountCents: 4_000,
      chargedCents: 5_000,
    });
    const told = { ...charge(500_000, 100_000, { amount: 500_000 }), currency };
    expect(readCharge(told, at)).toMatchObject({
      amountCents: 5_000,
      snapshots: [{ refundedCents: 1_000 }],
    });
    expect(readRefund({ currency, amount: 150 }, at).amountCents).toBe(2);
    expect(readDispute({ currency, amount: 500_000 }, at, false).amountCents).toBe(5_000);
  });

  it.each([
    ['its own', { fee: 17_500, currency: 'isk' }, 175],
    ['dollars', { fee: 140, currency: 'usd', exchange_rate: 0.008, amount: 4_000 }, 175],
    ['yen', { fee: 219, currency: 'jpy', exchange_rate: 1.25, amount: 6_250 }, 175],
  ])('has a fee in %s', (_name, transaction, expected) => {
    expect(feeOf(transaction, { currency: 'isk', amountCents: 5_000 })).toBe(expected);
  });

  it('has two decimals in ariary, which Stripe tells in whole units', () => {
    const session = { currency: 'mga', amount_total: 5_000, payment_status: 'paid' };
    expect(readSession(session, at, true).amountCents).toBe(500_000);
    const inDollars = { fee: 29, currency: 'usd', exchange_rate: 0.00022, amount: 110 };
    expect(feeOf(inDollars, { currency: 'mga', amountCents: 500_000 })).toBe(131_800);
  });

  it('leaves yen and dinars as they are', () => {
    const session = (currency: string) => ({ currency, amount_total: 500, payment_status: 'paid' });
    for (const currency of ['jpy', 'bhd', 'usd']) {
      expect(readSession(session(currency), at, true).amountCents).toBe(500);
    }
  });
});

describe('inclusive tax on goods and shipping', () => {
  // Goods of 12.00 and shipping of 6.00, both with 20 % in the price.
  const shipping_cost = { amount_subtotal: 600, amount_tax: 100, amount_total: 600 };
  const session = {
    currency: 'eur',
    amount_total: 1_800,
    payment_status: 'paid',
    total_details: { amount_tax: 300, amount_shipping: 600 },
    shipping_cost,
  };

  it('is taken off once each, of a session as of an invoice', () => {
    const invoice = {
      currency: 'eur',
      total: 1_800,
      total_excluding_tax: 1_500,
      amount_paid: 1_800,
      shipping_cost,
    };
    expect(readSession(session, at, true).amountCents).toBe(1_000);
    expect(readInvoice(invoice, at, true).amountCents).toBe(1_000);
  });

  it('is that of tax on top as well', () => {
    const onTop = {
      ...session,
      amount_total: 1_920,
      total_details: { amount_tax: 320, amount_shipping: 500 },
      shipping_cost: { amount_subtotal: 500, amount_tax: 100, amount_total: 600 },
    };
    expect(readSession(onTop, at, true).amountCents).toBe(1_100);
  });

  it('stands without its tax where Stripe tells no cost of shipping', () => {
    expect(readSession({ ...session, shipping_cost: null }, at, true).amountCents).toBe(900);
  });
});

it('an account of the second version is the customer where no customer is named', () => {
  const named = { currency: 'eur', customer: null, customer_account: 'acct_1' };
  expect(readSession(named, at, true).customerId).toBe('acct_1');
  expect(readInvoice({ ...named, customer: 'cus_1' }, at, true).customerId).toBe('cus_1');
});

describe('an invoice that credit covered in part', () => {
  const invoice = { currency: 'usd', total: 12_100, total_excluding_tax: 10_000 };

  it.each<[string, Json, number]>([
    ['nothing of it', { amount_due: 12_100, amount_paid: 12_100 }, 10_000],
    ['a part', { amount_due: 7_260, amount_paid: 7_260 }, 6_000],
    ['a part that does not divide', { amount_due: 4_033, amount_paid: 4_033 }, 3_333],
    ['all', { amount_due: 0, amount_paid: 0 }, 0],
    ['paid outside, told', { amount_due: 12_100, amount_paid: 0, paid_out_of_band: true }, 10_000],
    ['paid outside, not told', { amount_due: 12_100, amount_paid: 0 }, 10_000],
    ['paid too much', { amount_due: 12_100, amount_paid: 13_000 }, 10_000],
  ])('is worth what was paid of it, without tax: %s', (_name, paid, expected) => {
    expect(readInvoice({ ...invoice, ...paid }, at, true).amountCents).toBe(expected);
  });
});

describe('what an event can claim is bounded', () => {
  const event = (type: string, object: Json): Json => ({ type, created: 1, data: { object } });

  it('a hundred refunds of a charge, the cumulative amount beside them', () => {
    const refunds = Array.from({ length: 50_000 }, (_, n) => ({ id: `re_${n}`, amount: 1 }));
    const read = readStripeFacts(event('charge.refunded', charge(10_000, 5_000, { refunds })), at);

    expect(read?.objects).toHaveLength(101);
    expect(settlementOf(read?.objects ?? []).refundedCents).toBe(5_000);
  });

  it('ids of 255 characters', () => {
    const long = 'x'.repeat(256);
    const session = { id: 'cs_1', payment_intent: long, customer: long, subscription: long };
    const read = readStripeFacts(event('checkout.session.completed', session), at);

    expect(read?.ids).toEqual(['cs_1']);
    expect(read?.objects[0]?.fact).toMatchObject({ customerId: null, subscriptionId: null });
    expect(readStripeFacts(event('invoice.paid', { id: long }), at)).toBeNull();
  });

  it('signals of 255 characters, which are cut', () => {
    const session = {
      id: 'cs_1',
      metadata: { aff_click_id: 'a'.repeat(900) },
      client_reference_id: 'b'.repeat(900),
    };
    expect(readSession(session, at, true)).toMatchObject({
      metadataClickIds: ['a'.repeat(255)],
      clientReferenceId: 'b'.repeat(255),
    });
  });

  it('amounts of a million millions', () => {
    const session = { currency: 'usd', amount_total: 1_000_000_000_001, payment_status: 'paid' };
    expect(readSession(session, at, true).amountCents).toBe(0);
  });
});
