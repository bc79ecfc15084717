import type { Tx } from '../../../entities/database/sql';
import type { Erasure } from '../../../entities/tables/erasure/erasure.entity';
import type { BoxPlace, Vault } from '../../../runtime/crypto/vault';
import type { Deps } from '../../../runtime/process/deps';
import { countChange } from '../receipts';
import type { Participation } from '../subject';

/** A workspace's texts in one mode, and what of them stands for the person. */
export interface ScanPlace {
  erasure: Erasure;
  participation: Participation;
  identifying: readonly string[];
  /** All of the person's participations there: they are looked for together. */
  participantIds: readonly string[];
  /** The time from which on rows are searched; null: all of them. */
  since: Date | null;
}

/** Times and ids only: it is in the history of the workflow. Rows are read backwards. */
export interface ScanCursor {
  table: 'webhook_deliveries' | 'idempotency_keys' | 'stripe_events';
  /** Rows before this one are left; null: all of them. */
  before: string | null;
  beforeId: string | null;
  /** The endpoint whose deliveries are read, or, with nothing before, were read last. */
  endpointId?: string | null;
}

export type ScanDeps = Pick<Deps, 'db' | 'vault'>;
/** Reads one bounded page, in a transaction of its own; null when it was the last one. */
export type Scan = (
  deps: ScanDeps,
  place: ScanPlace,
  cursor: ScanCursor,
) => Promise<Omit<ScanCursor, 'table'> | null>;

/** Undefined when its key is gone or it belongs to another place: the rest is cleaned all the same. */
export function openBox(
  vault: Pick<Vault, 'decrypt'>,
  box: string,
  place: BoxPlace,
): string | undefined {
  try {
    return vault.decrypt(box, place);
  } catch {
    return undefined;
  }
}

/** Adds to the receipt what was cleaned, and what could not be read. */
export async function note(
  tx: Tx,
  { erasure, participation }: ScanPlace,
  { table, rows, unreadable = 0 }: { table: string; rows: number; unreadable?: number },
): Promise<void> {
  const part = { erasureId: erasure.id, participantId: participation.id };
  await countChange(tx, part, { table, rows });
  await countChange(tx, part, { table: `${table} (unreadable)`, rows: unreadable });
}
