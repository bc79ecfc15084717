import type { Db } from '../../../entities/database/sql';
import { rulesOf } from '../../../entities/rules/billers';
import type { BillerFacts, BillerRules } from '../../../entities/rules/billing/rules';
import type { Cause } from '../../journal/cause';
import type { Vault } from '../../../runtime/crypto/vault';
import { scopeOf, type ConnectionRecord } from '../connection/connection';
import { findPaymentsByObjects } from '../payments/payments';
import type { ListedEvent } from '../reader';
import { takeIn } from './receive';

interface Listed {
  connection: ConnectionRecord;
  events: readonly ListedEvent[];
  /** A webhook should have brought them. */
  recovered?: boolean;
}

/**
 * Takes in what a biller's list holds, in its order; how many of them are to be processed now. An object as
 * it is now is passed over where all that it says is known.
 */
export async function takeInPage(
  { db, vault }: { db: { manager: Db }; vault: Vault },
  cause: Cause,
  { connection, events, recovered = true }: Listed,
): Promise<number> {
  const deps = { db: db.manager, vault };
  let taken = 0;
  for (const { text, deliveryId, isRead } of events) {
    if (isRead && (await isKnown(db.manager, cause, { connection, text }))) continue;
    const listed = { connection, text, deliveryId, recovered };
    if (await takeIn(deps, cause, listed)) taken += 1;
  }
  return taken;
}

async function isKnown(
  db: Db,
  { now }: Cause,
  { connection, text }: { connection: ConnectionRecord; text: string },
): Promise<boolean> {
  const rules = rulesOf(connection.biller);
  const facts = rules.factsOf(JSON.parse(text), now.toISOString());
  if (!facts) return true;
  const ids = [...facts.ids, ...facts.objects.map(({ id }) => id)];
  const known = await findPaymentsByObjects(db, scopeOf(connection), ids);
  const stored = new Map(known.flatMap(({ objects }) => objects).map(({ id, fact }) => [id, fact]));
  return saysNothingNew(rules, facts, stored);
}

function saysNothingNew(
  { merge, says }: BillerRules,
  { objects }: BillerFacts,
  stored: ReadonlyMap<string, BillerFacts['objects'][number]['fact']>,
): boolean {
  return objects.every(({ id, fact }) => {
    const before = stored.get(id) ?? null;
    return before !== null && says(merge(before, fact)) === says(before);
  });
}
