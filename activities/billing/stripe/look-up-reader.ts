import { BillerAwayError } from '../away';
import { stripeFailure, type StripeClient } from '../../../runtime/connections/stripe';

/** What is asked of Stripe, as a key's permissions divide it. */
export type StripeRead =
  | 'checkout sessions'
  | 'invoices'
  | 'promotion codes'
  | 'payment intents'
  | 'charges'
  | 'balance transactions';

export interface Reader {
  /** Undefined for what Stripe does not know or the key may not read; throws when Stripe is away. */
  ask<T>(read: StripeRead, call: (client: StripeClient) => Promise<T>): Promise<T | undefined>;
  /** What Stripe let the key do, and what not; nothing that was not asked. */
  answered: Set<StripeRead>;
  refused: Set<StripeRead>;
}

/** Remembers which permissions the key has and lacks; `pace` goes before each read. */
export function createReader(client: StripeClient, pace: () => Promise<void>): Reader {
  const answered = new Set<StripeRead>();
  const refused = new Set<StripeRead>();
  return {
    answered,
    refused,
    async ask(read, call) {
      await pace();
      try {
        const answer = await call(client);
        answered.add(read);
        return answer;
      } catch (error) {
        const failure = stripeFailure(error);
        if (failure === 'away') throw new BillerAwayError('stripe', error);
        (failure === 'refused' ? refused : answered).add(read);
        return undefined;
      }
    },
  };
}
