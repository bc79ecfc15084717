import { query, type Db } from '../../../entities/database/sql';
import type { RowOutcome, StoredCustomer, ToldFacts } from '../../../entities/rules/imports/stored';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import type { Import } from '../../../entities/tables/imports/import.entity';
import { partnersOf, recordsOf, refused, type Judged, type Phase, type Verdict } from './verdict';

export interface CustomerVerdict {
  participantId: string | null;
  /** The row in `customers`, of one who is known here. */
  customer: string | null;
}

interface Known {
  alias: string;
  customer: string;
  participantId: string | null;
}

/** Customers: nobody's, this partner's, or another's. */
export async function judgeCustomers(
  db: Db,
  held: Import,
  { rows, phase }: { rows: readonly ImportRow[]; phase: Phase },
): Promise<Judged<CustomerVerdict>[]> {
  const partners = await partnersOf(db, held, { rows, phase });
  const keys = rows.flatMap(({ theirKey }) => theirKey ?? []);
  const records = await recordsOf(db, held, { kind: 'customers', keys });
  const known = await knownByIds(
    db,
    held,
    rows.flatMap((row) => idsOf(customerOf(row))),
  );
  /** The partner of each id that an earlier row of these names, which the database does not know yet. */
  const named = new Map<string, string>();

  const judge = (row: ImportRow): Verdict<CustomerVerdict> => {
    const partner = partners.get(keyOfPartner(row));
    if (!partner) return refused('PARTNER_UNKNOWN');
    const { participantId } = partner;
    const told = customerOf(row);
    const ids = idsOf(told);
    const here = ids.flatMap((id) => known.get(id) ?? []);
    const isTaken = here.some((one) => isOfAnother(one, here[0], participantId));
    if (isTaken || !nameAll(named, ids, participantId ?? keyOfPartner(row))) {
      return refused('CUSTOMER_TAKEN');
    }
    const more = { participantId, customer: here[0]?.customer ?? null };
    return { outcome: outcomeOf(records.get(row.theirKey ?? '')?.told, told), ...more };
  };
  return rows.map((row) => ({ row, verdict: judge(row) }));
}

function keyOfPartner({ partnerKey }: ImportRow): string {
  return partnerKey ?? '';
}

/** Says whose the ids are; false where one is another's. */
function nameAll(named: Map<string, string>, ids: readonly string[], owner: string): boolean {
  if (ids.some((id) => (named.get(id) ?? owner) !== owner)) return false;
  for (const id of ids) named.set(id, owner);
  return true;
}

/** Two customers of ours are never one of theirs, and one who is somebody's stays theirs. */
function isOfAnother(
  { customer, participantId }: Known,
  first: Known | undefined,
  partner: string | null,
): boolean {
  return customer !== first?.customer || (participantId !== null && participantId !== partner);
}

function outcomeOf(before: ToldFacts | undefined, told: StoredCustomer): RowOutcome {
  if (!before) return 'new';
  return isSame(before, factsOf(told)) ? 'known' : 'changed';
}

export function customerOf({ fields }: ImportRow): StoredCustomer {
  return fields as StoredCustomer;
}

/** All that they are known by. */
export function idsOf({ customerId, aliases }: StoredCustomer): string[] {
  return [...new Set([customerId, ...aliases])];
}

/** What a repeat is compared with. */
export function factsOf({ customerId, aliases, boundAt, firstPaidAt }: StoredCustomer): ToldFacts {
  return { customerId, aliases: aliases.join('|'), boundAt, firstPaidAt };
}

function isSame(before: ToldFacts, now: ToldFacts): boolean {
  return Object.entries(now).every(([name, value]) => before[name] === value);
}

async function knownByIds(
  db: Db,
  { workspaceId, mode }: Import,
  ids: readonly string[],
): Promise<Map<string, Known>> {
  const rows = await query<Known>(
    db,
    `SELECT a.alias, u.id AS customer, u.participant_id AS "participantId"
       FROM customer_aliases AS a JOIN customers AS u ON u.id = a.customer
      WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = ANY ($3::text[])`,
    [workspaceId, mode, ids],
  );
  return new Map(rows.map((row) => [row.alias, row]));
}
