import { execute, query, type Tx } from '../../../entities/database/sql';
import {
  groupOfClaims,
  namesAnother,
  type GroupClaim,
  type OpenMoney,
} from '../../../entities/rules/imports/groups';
import { problemOf } from '../../../entities/rules/imports/problems';
import type { StoredPartner } from '../../../entities/rules/imports/stored';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import type { Import } from '../../../entities/tables/imports/import.entity';

/**
 * Notes with partners the group that each joins, by all rows of their address. Whoever is named in another
 * as well has a problem beside: the row itself is booked.
 */
export async function noteGroups(tx: Tx, held: Import, rows: readonly ImportRow[]): Promise<void> {
  if (held.groupBy === null || rows.length === 0) return;
  const claims = await claimsOf(tx, held, rows);
  const noted = rows.map((row) => {
    const chosen = groupOfClaims(claims.get(row.addressHash ?? '') ?? []);
    return { n: row.n, chosen, isAmbiguous: namesAnother(groupsIn(row.fields), chosen) };
  });
  const problem = problemOf('GROUP_AMBIGUOUS');
  await execute(
    tx,
    `UPDATE import_rows AS r SET group_name = v.chosen,
            side_problem = CASE WHEN v.ambiguous THEN $5 END,
            side_message = CASE WHEN v.ambiguous THEN $6 END
       FROM unnest($2::int[], $3::text[], $4::bool[]) AS v (n, chosen, ambiguous)
      WHERE r.import_id = $1 AND r.kind = 'partners' AND r.n = v.n AND r.n BETWEEN $7 AND $8`,
    [
      held.id,
      noted.map(({ n }) => n),
      noted.map(({ chosen }) => chosen),
      noted.map(({ isAmbiguous }) => isAmbiguous),
      problem.code,
      problem.message,
      ...[rows[0]?.n, rows.at(-1)?.n],
    ],
  );
}

function groupsIn(fields: ImportRow['fields']): readonly string[] {
  return (fields as StoredPartner).groups ?? [];
}

interface Person extends GroupClaim {
  address: string;
  key: string;
}

/** What each address claims, by all its rows. */
async function claimsOf(
  tx: Tx,
  held: Import,
  rows: readonly ImportRow[],
): Promise<Map<string, Person[]>> {
  const addresses = [...new Set(rows.flatMap(({ addressHash }) => addressHash ?? []))];
  const people = await query<Omit<Person, 'open'>>(
    tx,
    `SELECT r.address_hash AS address, r.their_key AS key, r.n,
            coalesce(r.fields->'groups', '[]') AS groups
       FROM import_rows AS r
      WHERE r.address_hash = ANY ($2::text[]) AND r.address_hash IS NOT NULL AND r.import_id = $1 AND r.kind = 'partners'
        AND r.problem IS NULL AND r.their_key IS NOT NULL`,
    [held.id, addresses],
  );
  const open = await openMoneyOf(
    tx,
    held,
    people.map(({ key }) => key),
  );
  const byAddress = new Map<string, Person[]>();
  for (const person of people) {
    const claims = byAddress.get(person.address) ?? [];
    claims.push({ ...person, open: open.get(person.key) ?? [] });
    byAddress.set(person.address, claims);
  }
  return byAddress;
}

/** The open money of each partner and group as the old system shows it, whatever is to be booked of it. */
async function openMoneyOf(
  tx: Tx,
  held: Import,
  keys: readonly string[],
): Promise<Map<string, OpenMoney[]>> {
  const sums = await query<OpenMoney & { key: string }>(
    tx,
    `SELECT partner_key AS key, fields->>'group' AS "group",
            coalesce(sum(amount_cents) FILTER (WHERE currency = $3), 0)::bigint AS "ownCents",
            sum(amount_cents)::bigint AS "allCents"
       FROM import_rows
      WHERE import_id = $1 AND partner_key = ANY ($2::text[]) AND kind = 'commissions'
        AND told IN ('pending', 'approved')
      GROUP BY 1, 2`,
    [held.id, keys, held.currency],
  );
  const byKey = new Map<string, OpenMoney[]>();
  for (const { key, ...sum } of sums) byKey.set(key, [...(byKey.get(key) ?? []), sum]);
  return byKey;
}
