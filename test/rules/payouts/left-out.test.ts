import {
  whyLeftOut,
  type SendableItem,
  type SendOptions,
} from '../../../entities/rules/payouts/left-out';
import { isPayoutProvider, leftOf } from '../../../entities/rules/payouts/providers';

const item: SendableItem = {
  methodType: 'paypal',
  isConfirmed: true,
  isExported: false,
  isSuspended: false,
  isRefused: false,
  hasAttention: false,
};
const options: SendOptions = { method: 'paypal', requireConfirmed: false, confirmExported: false };
const exported = { isExported: true };
const unconfirmed = { isConfirmed: false };

it.each<[string, Partial<SendableItem>, Partial<SendOptions>, string | undefined]>([
  ['one whose method is the provider’s is sent', {}, {}, undefined],
  ['one without a method is not', { methodType: null }, {}, 'no_method'],
  ['nor one with another', { methodType: 'wise' }, {}, 'other_method'],
  ['one whose method came by an import is', unconfirmed, {}, undefined],
  ['not where that is asked for', unconfirmed, { requireConfirmed: true }, 'unconfirmed_method'],
  ['a confirmed one is there, too', {}, { requireConfirmed: true }, undefined],
  ['one that a file held is not', exported, {}, 'exported'],
  ['unless the sender confirms it', exported, { confirmExported: true }, undefined],
  ['one of a partner who is suspended is not', { isSuspended: true }, {}, 'suspended'],
  ['nor one whose address is refused', { isRefused: true }, {}, 'method_refused'],
  ['nor one that a person has to check', { hasAttention: true }, {}, 'attention'],
  ['of several reasons the first is told', { ...exported, isSuspended: true }, {}, 'exported'],
])('an item is left out for its first reason: %s', (_rule, fields, chosen, why) => {
  expect(whyLeftOut({ ...item, ...fields }, { ...options, ...chosen })).toBe(why);
});

const limits = [
  { currency: 'eur', amountCents: 500 },
  { currency: 'usd', amountCents: 900 },
];

it.each([
  ['usd', 0, 900],
  ['usd', 400, 500],
  ['usd', 900, 0],
  ['usd', 1_000, 0],
  ['gbp', 0, 0],
])('the limit of %s, with %s used, leaves %s', (currency, usedCents, left) => {
  expect(leftOf(limits, { currency, usedCents })).toBe(left);
});

it('knows who can send', () => {
  expect(['paypal', 'wise', ''].map(isPayoutProvider)).toEqual([true, false, false]);
});
