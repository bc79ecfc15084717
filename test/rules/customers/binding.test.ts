import { maxCustomerAliases, maxCustomerIdLength } from '../../../entities/rules/customers/binding';

describe('a binding', () => {
  it('has ids of at most 255 characters, and five further ones a sign-up', () => {
    expect([maxCustomerIdLength, maxCustomerAliases]).toEqual([255, 5]);
  });
});
