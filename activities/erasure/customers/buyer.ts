import type { Db } from '../../../entities/database/sql';
import type { Mode } from '../../../entities/rules/values/mode';
import type { Vault } from '../../../runtime/crypto/vault';

export interface CustomerStores {
  db: Db;
  vault: Pick<Vault, 'encrypt' | 'decrypt' | 'contactHash'>;
}

/** A conversion of the buyer's. */
export interface BoughtConversion {
  id: string;
  workspaceId: string;
  mode: Mode;
  customerId: string | null;
  createdAt: Date;
}

/** A raw event that names an address, with the payment that it tells of. */
export interface NamingEvent {
  id: string;
  mode: Mode;
  paymentId: string | null;
  /** The id by which the processor knows the buyer of that payment. */
  customerId: string | null;
}

/** A buyer in one mode. */
export interface Buyer {
  workspaceId: string;
  mode: Mode;
  conversions: readonly BoughtConversion[];
  /** The customer's ids that were asked for: payments may carry them without a conversion. */
  ids: readonly string[];
  /** The address that was asked for. */
  email?: string | undefined;
  /** Raw events that name the address that was asked for. */
  events: readonly NamingEvent[];
  /** What takes the place of each of the customer's ids. */
  replacements: ReadonlyMap<string, string>;
}
