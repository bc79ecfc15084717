import { ofAccount } from './copies-of-account';
import { ofParticipant } from './copies-of-participant';
import { nothing, scrubbed, type Copy, type Treatment } from './treatments';

export type { Copy, Treatment } from './treatments';

/** Every place of personal data of partners that is found by an id or an address. */
export const copies: readonly Copy[] = [
  ...ofParticipant.map((copy) => ({ ...copy, of: 'participant' as const })),
  ...ofAccount.map((copy) => ({ ...copy, of: 'account' as const })),
];

export type ScannedTable = 'webhook_deliveries' | 'idempotency_keys' | 'stripe_events';

/**
 * Free text of a workspace that may name anyone: it is read, page by page, and treated where it
 * names the person. Encrypted columns are decrypted for it.
 */
export const scanned: Readonly<Record<ScannedTable, Readonly<Record<string, Treatment>>>> = {
  /** What receivers answered. */
  webhook_deliveries: { response_body: nothing },
  /** Answers to members' requests: a retry still gets them, without the person. */
  idempotency_keys: { answer: scrubbed },
  /** Raw events of Stripe's: what they say of money stays, or is in other tables. */
  stripe_events: { body: scrubbed },
};
