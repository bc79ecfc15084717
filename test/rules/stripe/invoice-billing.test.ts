import { billingOf, mergeBilling } from '../../../entities/rules/stripe/invoice-billing';

const at = (second: number): string => new Date(second * 1_000).toISOString();
const line = (second: number, fields: object): object => ({ period: { start: second }, ...fields });
const old = { type: 'subscription' };
const since2025 = { parent: { type: 'subscription_item_details' } };
const prorated = {
  parent: { type: 'subscription_item_details', subscription_item_details: { proration: true } },
};

describe('what an invoice says of its billing', () => {
  it.each<[string, object, object]>([
    ['nothing', {}, { createdAt: null, periodStart: null, billingReason: null }],
    [
      'when and why it was made',
      { created: 7, billing_reason: 'manual', lines: { data: [] } },
      { createdAt: at(7), periodStart: null, billingReason: 'manual' },
    ],
    ['a period', { lines: { data: [line(5, old)] } }, { periodStart: at(5) }],
    [
      'a period of the newer shape',
      { lines: { data: [line(5, since2025)] } },
      { periodStart: at(5) },
    ],
    [
      'the period of the first line that a subscription made',
      {
        lines: [
          line(1, { type: 'invoiceitem', subscription: 'sub_1' }),
          line(5, old),
          line(6, old),
        ],
      },
      { periodStart: at(5) },
    ],
    [
      'the period of what is not prorated',
      { lines: [line(1, prorated), line(2, { ...old, proration: true }), line(5, since2025)] },
      { periodStart: at(5) },
    ],
    ['the period of a proration alone', { lines: [line(1, prorated)] }, { periodStart: at(1) }],
    [
      'no period of an item by hand',
      { lines: [line(1, { parent: { type: 'invoice_item_details' } })] },
      { periodStart: null },
    ],
    ['no period of a line without one', { lines: [old] }, { periodStart: null }],
    [
      'no times that are none',
      { created: '7', lines: 'x' },
      { createdAt: null, periodStart: null },
    ],
  ])('is read of %s', (_name, invoice, expected) => {
    expect(billingOf({ ...invoice })).toMatchObject(expected);
  });

  it('is what both of two events say', () => {
    const full = { createdAt: at(1), periodStart: at(2), billingReason: 'manual' };
    const none = { createdAt: null, periodStart: null, billingReason: null };
    expect(mergeBilling(none, full)).toStrictEqual(full);
    expect(mergeBilling({}, full)).toStrictEqual(full);
    expect(mergeBilling(full, { ...full, billingReason: 'x' })).toStrictEqual(full);
    expect(mergeBilling(none, {})).toStrictEqual(none);
    expect(mergeBilling({}, {})).toStrictEqual({});
  });
});
