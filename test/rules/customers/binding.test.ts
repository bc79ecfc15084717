import {
  bindingSources,
  isBoundAt,
  isByHand,
  maxCustomerAliases,
  maxCustomerIdLength,
  type BindingSource,
} from '../../../entities/rules/customers/binding';

const boundAt = new Date('2026-03-01T10:00:00.000Z');
const byHand: BindingSource[] = ['import', 'manual'];

describe('a binding', () => {
  it.each(bindingSources)('by %s speaks for sales from its time on', (source) => {
    const at = (ms: number) => isBoundAt({ source, boundAt }, { until: new Date(+boundAt + ms) });
    expect([at(-1), at(0), at(1)]).toEqual([byHand.includes(source), true, true]);
  });

  it('is by hand when somebody said whose the customer is', () => {
    expect(bindingSources.filter(isByHand)).toEqual(byHand);
  });

  it('has ids of at most 255 characters, and five further ones a sign-up', () => {
    expect([maxCustomerIdLength, maxCustomerAliases]).toEqual([255, 5]);
  });
});
