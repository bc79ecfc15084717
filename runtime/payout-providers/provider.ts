import type { Mode } from '../../entities/rules/values/mode';
import type { PayoutMethodType } from '../../entities/rules/payouts/method';
import type { PayoutProviderName } from '../../entities/rules/payouts/providers';
import type { VendorHttp } from '../outbound/vendor-http';

/** How a provider is reached on behalf of one connection. */
export interface ProviderAccess {
  http: VendorHttp;
  mode: Mode;
  /** The host of the settings; undefined: the provider's own host of the mode. */
  base: string | undefined;
  clientId: string;
  clientSecret: string;
  /** The limit of each request. */
  timeoutMs: number;
  /** Awaited before each request: throws when somebody else may be asking by now. */
  hold(): Promise<void>;
}

/** What is kept of an answer: never an address. */
export interface KeptAnswer {
  httpStatus: number | null;
  name: string | null;
  message: string | null;
  debugId: string | null;
}

/** A payment as it is sent to a provider. */
export interface ProviderItem {
  reference: string;
  address: string;
  amountCents: number;
}

export interface ProviderBatch {
  senderBatchId: string;
  /** ISO 4217, lower case. */
  currency: string;
  items: readonly ProviderItem[];
  /** What payees read: programme and reference of the payout. */
  text: string;
}

interface Answered {
  answer: KeptAnswer;
}

/**
 * What a try of a batch came to. `unknown`: it may have been taken. `not_sent`: no byte of it left. `busy`: it
 * was not looked at. `refused`: surely nothing was taken; of `receivers`, by their places, the address was why.
 */
export type SendAnswer = Answered &
  (
    | { kind: 'taken'; providerBatchId: string; word: string | null }
    | { kind: 'known'; providerBatchId: string }
    | { kind: 'refused'; receivers: readonly number[] }
    | { kind: 'busy' | 'not_sent' | 'unknown' }
  );

/** A payment as a provider lists it. */
export interface ListedItem {
  reference: string | null;
  address: string | null;
  /** ISO 4217, lower case. */
  currency: string | null;
  /** The amount as the provider writes it: decimal. */
  amount: string | null;
  providerItemId: string | null;
  transactionId: string | null;
  word: string | null;
  errorName: string | null;
  errorMessage: string | null;
  processedAt: Date | null;
  fee: { amountCents: number; currency: string } | null;
}

export interface ListedBatch {
  providerBatchId: string;
  senderBatchId: string | null;
  word: string | null;
  currency: string | null;
  amount: string | null;
  /** The number of items that the provider says that it has; null: it does not say. */
  totalItems: number | null;
  items: readonly ListedItem[];
}

export type AskAnswer = Answered &
  (
    | { kind: 'batch'; batch: ListedBatch }
    /** `access`: the provider refuses us. */
    | { kind: 'missing' | 'access' | 'unknown' }
  );

export type ItemAnswer = Answered &
  (
    | { kind: 'item'; item: ListedItem; batchWord: string | null }
    | { kind: 'missing' | 'access' | 'unknown' }
  );

export type ConnectAnswer = { kind: 'good' } | { kind: 'rejected' | 'away'; message: string };

/** What a word of the provider says of the money of one item. */
export type Meaning =
  | { kind: 'paid' | 'open' }
  /** The partner has to fetch it. */
  | { kind: 'unclaimed' }
  /** It did not go, or came back; `isOurs`: for a reason of the merchant's own, so that it may go again. */
  | { kind: 'failed'; isOurs: boolean }
  /** The batch was refused as a whole, and this with it. */
  | { kind: 'released' }
  | { kind: 'attention'; reason: 'blocked' | 'refunded' | 'word' };

/** All that is a provider's own; another provider is another folder. */
export interface PayoutProvider {
  name: PayoutProviderName;
  /** Which methods it pays. */
  method: PayoutMethodType;
  maxItems: number;
  /** Whether a credential may pay out, without paying anything. */
  connect(access: ProviderAccess): Promise<ConnectAnswer>;
  takesAddress(address: string): boolean;
  /** The bytes of a batch, the same at every try. */
  requestOf(batch: ProviderBatch): string;
  send(access: ProviderAccess, request: string): Promise<SendAnswer>;
  ask(access: ProviderAccess, providerBatchId: string): Promise<AskAnswer>;
  /** Asks to cancel one that nobody has fetched, then what became of it. */
  cancel(access: ProviderAccess, providerItemId: string): Promise<ItemAnswer>;
  meaningOf(words: { item: string | null; batch: string | null; error: string | null }): Meaning;
  /** How many days nobody needs to fetch it before it comes back. */
  claimDays: number;
}
