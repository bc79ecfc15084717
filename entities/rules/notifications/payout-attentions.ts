import type { NotificationFacts } from './facts';

/** Why a person has to look at a payment that a provider was told to make. */
const payoutAttentions: Readonly<Record<string, string>> = {
  unknown: 'the provider has not answered for an hour. It is asked again by itself.',
  unanswered:
    'the provider never answered, and nobody knows whether it has paid. Nothing is sent again by itself.',
  differs: 'what the provider has is not what it was told.',
  vanished: 'the provider does not know of it any more.',
  word: 'the provider says something of it that has no known meaning, or not what was said here.',
  blocked: 'the provider has blocked it, and does not tell where the money is.',
  refunded: 'the partner sent it back, and the provider does not tell how much.',
  too_long: 'it is on its way for 45 days.',
  twice: 'the provider has paid it twice, or is about to.',
  restored: 'it was sent before the database was restored.',
};

export function attentionOf({ reason }: NotificationFacts): string {
  return payoutAttentions[reason ?? ''] ?? 'a person has to look.';
}

/** How much may be sent, by the amounts in words. */
export function limitsOf(amounts: string): string {
  return amounts === ''
    ? 'No payout is sent by a provider: there is no daily limit.'
    : `Within 24 hours at most ${amounts} are sent.`;
}
