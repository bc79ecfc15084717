import {
  answerWithoutBuyer,
  customerAnswerWithoutBuyer,
  type ErasedBuyer,
} from '../../../entities/rules/erasure/buyer';

const buyer: ErasedBuyer = {
  conversionIds: new Set(['v-1']),
  replacements: new Map([
    ['cus 1/a', 'h-1'],
    ['alias', 'h-2'],
  ]),
};

describe('a stored answer without the buyer', () => {
  const theirs = {
    id: 'v-1',
    customer_id: 'alias',
    metadata: { plan: 'pro' },
    amount_cents: 7,
    attribution: { click_id: 'c-1', customer_id: 'alias' },
  };
  const clean = { ...theirs, customer_id: 'h-2', metadata: null };

  it('loses what is personal in the records of their conversions, wherever they stand', () => {
    expect(answerWithoutBuyer(theirs, buyer)).toEqual(clean);
    expect(answerWithoutBuyer({ data: [theirs], total: 1 }, buyer)).toEqual({
      data: [clean],
      total: 1,
    });
    expect(answerWithoutBuyer({ id: 'v-2', of: theirs }, buyer)).toEqual({ id: 'v-2', of: clean });
    const within = { id: 'v-1', note: 'alias', of: [theirs] };
    expect(answerWithoutBuyer(within, buyer)).toEqual({ ...within, of: [clean] });
  });

  it.each([
    ["another's conversion", { id: 'v-2', customer_id: 'alias', metadata: { plan: 'pro' } }],
    ['a record without an id', { customer_id: 'alias', metadata: {} }],
    ['an id that is no text', { id: 1, customer_id: 'alias' }],
    ['another id of a customer', { id: 'v-1', customer_id: 'stranger' }],
    ['no customer at all', { id: 'v-1', customer_id: null }],
    ['a customer that is no text', { id: 'v-1', customer_id: ['alias'] }],
    ['a value that stands alone', 'alias'],
    ['a number', 7],
    ['nothing', null],
  ])('stays as it is: %s', (_, value) => {
    expect(answerWithoutBuyer(value, buyer)).toEqual(value);
  });
});

describe('the answer to a sign-up without the buyer', () => {
  it('has hashes for their ids in fields, lists and the Location', () => {
    const answer = {
      status: 201,
      headers: { Location: '/api/v1/customers/cus%201%2Fa' },
      body: { customer_id: 'cus 1/a', aliases: ['alias', 'other'], customer: null },
    };
    expect(customerAnswerWithoutBuyer(answer, buyer)).toEqual({
      status: 201,
      headers: { Location: '/api/v1/customers/h-1' },
      body: { customer_id: 'h-1', aliases: ['h-2', 'other'], customer: null },
    });
  });

  it('keeps a text that only holds an id', () => {
    for (const value of ['the alias', '/api/v1/customers/other', 'alias/x', 7, null])
      expect(customerAnswerWithoutBuyer(value, buyer)).toEqual(value);
  });

  it('escapes what takes the place of an id in the Location', () => {
    const replacements = new Map([['alias', 'h/+=']]);
    const of = { ...buyer, replacements };
    expect(customerAnswerWithoutBuyer('/api/v1/customers/alias', of)).toBe(
      '/api/v1/customers/h%2F%2B%3D',
    );
  });
});
