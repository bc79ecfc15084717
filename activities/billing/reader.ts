import type { Db } from '../../entities/database/sql';
import type { BillerFacts, BillerObject } from '../../entities/rules/billing/rules';
import type { CodeDiscount, CodeThere } from '../../entities/rules/billing/codes';
import type { Mode } from '../../entities/rules/values/mode';
import type { BillerConnection } from '../../entities/tables/billing/biller-connection.entity';
import type { Config } from '../../runtime/config/config';

/** The bytes as they came, which a signature is over, and the headers beside them. */
export interface SignedDelivery {
  body: Buffer;
  header(name: string): string;
}

/** What a member puts to connect: plain; undefined leaves what is stored. */
export interface Secrets {
  key?: string | undefined;
  webhookSecret?: string | undefined;
}

/** What a key opens, at one account of the biller's. */
export interface AccountKey {
  mode: Mode;
  key: string;
}

export interface RegisteredEndpoint {
  id: string;
  secret: string;
  /** The one that it takes the place of, and that is still there. */
  replaces: string | null;
}

/**
 * `kept`: it sends what we ask for, or the biller does not say. `gone`: the account of the key has no
 * such endpoint. `outdated`: it sends events of another version, which cannot be changed.
 */
export type EndpointState = 'kept' | 'gone' | 'outdated';

/** What names an object that we read by ourselves, in place of an event's id. */
export const readName = 'read:';

/** What a list of the biller's holds. */
export interface ListedEvent {
  /** The event as its webhook would bring it, or, of a list of objects, one of ours about the object. */
  text: string;
  /** What a delivery is named by outside of its body; of ours for an object that was read. */
  deliveryId: string | null;
  /** An object as it is now, which may have been told before. */
  isRead: boolean;
}

export interface ListPage {
  /** Oldest first, where the biller's order allows. */
  events: ListedEvent[];
  /** Where to go on; null at the end. */
  next: string | null;
}

/** Which page of what a biller made since a time; `place` is null for the first. */
export interface ListAsked {
  since: Date;
  /** When the connection was made: of what was sold before, nothing is read. */
  connectedAt: Date;
  place: string | null;
  now: Date;
  /** Waits until the connection may read once more, where a page takes further reads. */
  pace(): Promise<void>;
}

export interface WantedCode {
  code: string;
  codeId: string;
  discount: CodeDiscount;
  /** A later asking is another request, whatever the biller answered to an earlier one. */
  askedAt: Date;
}

/** Codes that buyers type at the biller's checkout. */
export interface BillerCodes {
  /** The permission without which none is made or switched off. */
  permission: string;
  /** The codes of this text that are in force, whoever made them. */
  find(asked: { code: string; codeId: string }): Promise<CodeThere[]>;
  /** Makes one that names our row, and gives its id, '' for none told; it may be called twice for one row. */
  make(asked: WantedCode): Promise<string>;
  /** Makes a code useless to buyers; one that the biller no longer has is left alone. */
  switchOff(id: string): Promise<void>;
}

/** An account at a biller: the network, and nothing else. */
export interface BillerAccount {
  /** Tries every read that processing needs; a 422 names the first that is refused, 503 no answer. */
  check(): Promise<void>;
  /** Registers our endpoint for the kinds that we act on; the same idempotency key, the same one. */
  register(at: { url: string; idempotencyKey: string }): Promise<RegisteredEndpoint>;
  /** Brings an endpoint that we registered to what we ask for now. */
  keep(endpoint: { id: string; url: string }): Promise<EndpointState>;
  /** Removes the endpoint; one that is gone, or that the key may not touch any more, is left alone. */
  remove(endpointId: string): Promise<void>;
  /** What was made since then, page by page. */
  list(asked: ListAsked): Promise<ListPage>;
  codes: BillerCodes;
  /** Open and closed disputes, of a biller that tells none by events. */
  listDisputes?(asked: { place: string | null; now: Date }): Promise<ListPage>;
}

/** Why a call failed: `refused` by the key's permissions, `missing` there, or `away`: try again. */
export type BillerFailure = 'refused' | 'missing' | 'away';

export interface LookupRequest {
  facts: BillerFacts;
  /** What is stored of the same payment already. */
  stored: BillerObject[];
  /** The payment is a conversion already, so that its fee matters. */
  isConversion: boolean;
  /** ISO; the time as of which the event was told. */
  at: string;
  now: Date;
  /** When the connection was made: what was sold before is credited by bindings alone. */
  connectedAt: Date;
  /** No event of the biller's, but an object that we read in its lists. */
  isRead: boolean;
  /** The event was processed before: what may have changed since is asked for anew. */
  isAgain: boolean;
  /** Partners have promo codes, so that the text of one matters. */
  hasCodes: boolean;
  /** A programme has a rule that asks what was sold. */
  asksItems: boolean;
  /** Whether these facts lead to a partner; no read is spent on the others of the merchant's sales. */
  isOurs(facts: BillerFacts): Promise<boolean>;
}

export interface LookupResult {
  facts: BillerFacts;
  /** What the biller would not let the stored key read, and what it did. */
  refused: string[];
  answered: string[];
}

export interface Lookup {
  account: AccountKey;
  /** Waits until the connection may read once more. */
  pace(): Promise<void>;
}

type NotedConnection = Pick<
  BillerConnection,
  | 'id'
  | 'mode'
  | 'workspaceId'
  | 'restrictedKey'
  | 'webhookSecret'
  | 'invoicePayments'
  | 'lastError'
>;

interface NotedEvent {
  connectionId: string;
  type: string;
  invoicePayments: BillerConnection['invoicePayments'];
}

/**
 * A biller beside its rules: how its bytes are verified, what a key opens, and what it leaves out.
 * Everything else of a biller is here once for all of them.
 */
export interface BillerReader {
  isSigned(delivery: SignedDelivery, by: { secret: string; now: Date }): boolean;
  /** What names a delivery outside of its body; null when the body does. */
  deliveryIdOf(delivery: SignedDelivery): string | null;
  /** VALIDATION_ERROR names the field that is no key or secret of this mode. */
  assertSecrets(secrets: Secrets, mode: Mode): void;
  account(config: Config, key: AccountKey): BillerAccount;
  /** What a thrown value of the account means; one that is not its own counts as `away`. */
  failureOf(error: unknown): BillerFailure;
  /** Asks for what an event leaves out. Throws when the biller is away, so that it is tried again. */
  lookUp(config: Config, lookup: Lookup, request: LookupRequest): Promise<LookupResult>;
  /** What the daily reading reads, with the permission of a key where no other read needs it. */
  listRead: string;
  /** The past that is read with the first key. */
  firstKeyReads: 'since the connection was made' | 'nothing';
  /** Remembers what an event shows of the kinds that its endpoint is sent. */
  note?(db: Db, event: NotedEvent, facts: BillerFacts): Promise<void>;
  /** The kinds of events that the connection should be sent and is not. */
  missingKinds(connection: NotedConnection, of: { hasCodes: boolean }): string[];
  /** What is wrong with a connection that has a secret and no error of its own; null for nothing. */
  problem(connection: NotedConnection, of: { hasCodes: boolean }): string | null;
}
