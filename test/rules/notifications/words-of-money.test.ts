import { closingText } from '../../../entities/rules/notifications/closing';
import { attentionOf, limitsOf } from '../../../entities/rules/notifications/payout-attentions';

it('says why somebody has to look, also where the reason is none that we know', () => {
  expect(attentionOf({ reason: 'twice' })).toBe('the provider has paid it twice, or is about to.');
  expect(attentionOf({ reason: 'another' })).toBe('a person has to look.');
  expect(attentionOf({})).toBe('a person has to look.');
});

it('says how much may be sent, or that nothing is', () => {
  expect(limitsOf('USD 10.00')).toBe('Within 24 hours at most USD 10.00 are sent.');
  expect(limitsOf('')).toBe('No payout is sent by a provider: there is no daily limit.');
});

it('asks whoever is owed something, and nobody else, to ask for it', () => {
  const bodyOf = (facts: Parameters<typeof closingText>[0]) =>
    closingText(facts, { program: 'Tea', day: '1 May' }).body;
  const ask = 'Ask the programme to pay it before that day.';
  const amounts = [{ amountCents: 1_000, currency: 'usd' }];
  expect(bodyOf({ kind: 'closing', amounts })).toContain(`USD 10.00 is owed to you. ${ask}`);
  expect(bodyOf({ kind: 'closing', pending: amounts })).toContain('USD 10.00 is pending. It may');
  expect(bodyOf({ kind: 'closing', amounts: [] })).not.toContain(ask);
});
