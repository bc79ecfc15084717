import { insertAll } from '../../entities/database/insert-all';
import { execute, query, type Tx } from '../../entities/database/sql';
import { placeOf, type Holder, type Place } from '../../entities/rules/accounts/addresses';
import type { Scope } from '../../entities/rules/values/mode';
import { PartnerAccount } from '../../entities/tables/accounts/partner-account.entity';
import type { Cause } from '../journal/cause';
import { idOfNoTime, type Addressee } from './addresses';

/** Locks many addresses as lockAddress does one, in one order. */
export async function lockAddresses(tx: Tx, emails: readonly string[]): Promise<void> {
  await execute(
    tx,
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT hashtextextended('partner:' || e, 0) AS key
         FROM unnest($1::text[]) AS e ORDER BY 1) AS keys`,
    [emails],
  );
}

interface Known extends Holder {
  email: string;
  id: string;
}

/**
 * The accounts of many people, by address, as accountFor gives one: where their participations go,
 * made where there are none. The addresses are locked.
 */
export async function accountsFor(
  tx: Tx,
  { now, scope }: Pick<Cause, 'now'> & { scope: Scope },
  people: readonly Addressee[],
): Promise<Map<string, { id: string; isProven: boolean }>> {
  const emails = people.map(({ email }) => email);
  const holders = await holdersOf(tx, emails);
  const places = new Map<string, Place>(
    emails.map((email) => [email, placeOf(scope.mode, holders.get(email))]),
  );
  const heldIn = scope.mode === 'test' ? scope.workspaceId : null;
  const standIns = await standInsOf(tx, { emails, heldIn });
  const accounts = new Map<string, { id: string; isProven: boolean }>();
  const made: Partial<PartnerAccount>[] = [];
  for (const person of people) {
    const place = places.get(person.email) ?? 'new';
    const holder = holders.get(person.email);
    const isOwn = place === 'holder' && holder !== undefined;
    const known = isOwn ? holder.id : standIns.get(person.email);
    const id = known ?? idOfNoTime(now);
    if (known === undefined) made.push(newAccount({ id, person, place, heldIn, now }));
    accounts.set(person.email, { id, isProven: isOwn && holder.isConfirmed });
  }
  await insertAll(tx, { into: PartnerAccount, rows: made });
  return accounts;
}

interface NewAccount {
  id: string;
  person: Addressee;
  place: Place;
  heldIn: string | null;
  now: Date;
}

/** The account of an address that has none, or one beside that stands for it. */
function newAccount({ id, person, place, heldIn, now }: NewAccount): Partial<PartnerAccount> {
  const { email, name } = person;
  const isOwn = place === 'new';
  return {
    id,
    email: isOwn ? email : `${id}@held.invalid`,
    name,
    passwordHash: null,
    heldEmail: isOwn ? null : email,
    heldWorkspaceId: isOwn ? null : heldIn,
    createdAt: now,
    updatedAt: now,
  };
}

async function holdersOf(tx: Tx, emails: readonly string[]): Promise<Map<string, Known>> {
  const rows = await query<Known>(
    tx,
    `SELECT email, id, password_hash IS NOT NULL AS "hasPassword",
            email_verified_at IS NOT NULL AS "isConfirmed"
       FROM partner_accounts WHERE email = ANY ($1::text[]) AND erased_at IS NULL
      ORDER BY id FOR SHARE`,
    [emails],
  );
  return new Map(rows.map((row) => [row.email, row]));
}

async function standInsOf(
  tx: Tx,
  { emails, heldIn }: { emails: readonly string[]; heldIn: string | null },
): Promise<Map<string, string>> {
  const rows = await query<{ email: string; id: string }>(
    tx,
    `SELECT held_email AS email, id FROM partner_accounts
      WHERE held_email = ANY ($1::text[]) AND held_email IS NOT NULL
        AND held_workspace_id IS NOT DISTINCT FROM $2::uuid AND erased_at IS NULL ORDER BY id FOR SHARE`,
    [emails, heldIn],
  );
  return new Map(rows.map(({ email, id }) => [email, id]));
}
