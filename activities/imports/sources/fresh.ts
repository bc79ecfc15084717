import { query, type Tx } from '../../../entities/database/sql';
import type { Json } from '../../../entities/rules/billing/json';
import type { ImportKind } from '../../../entities/rules/imports/kinds';
import { rawIdOf } from '../../../entities/rules/imports/rows';
import type { Import } from '../../../entities/tables/imports/import.entity';
import type { Vault } from '../../../runtime/crypto/vault';
import { keyOf } from '../keys';
import type { ToldRow } from './source';
import { cellAt } from './told';

/** An object, with the rows that it tells; none where there is nothing to import of it. */
export interface ToldObject {
  object: Json;
  rows: ToldRow[];
}

interface Reading {
  tx: Tx;
  stores: { vault: Pick<Vault, 'contactHash'> };
  held: Pick<Import, 'id'>;
}

interface Named {
  told: ToldObject;
  kind: ImportKind;
  key: string;
  partnerKey: string;
}

/**
 * The objects that were not read before: rows come and go at the source while its pages are read,
 * so an object on one page may stand on the next as well. An object is known by its first row.
 */
export async function freshOf(
  { tx, stores, held }: Reading,
  told: readonly ToldObject[],
  pass: 1 | 2,
): Promise<ToldObject[]> {
  const named = told.flatMap((one) => namedOf(stores, one));
  const kind = named[0]?.kind;
  const known = kind
    ? await knownOf(tx, { importId: held.id, kind, named })
    : new Map<string, string | null>();
  const byObject = new Map(named.map((one) => [one.told, one]));
  const seen = new Set<string>();
  return told.filter((one) => {
    const own = byObject.get(one);
    // An object without a row was counted when it was read first.
    if (!own) return pass === 1;
    const { key, partnerKey } = own;
    const isRead = known.has(key) && (pass === 2 || known.get(key) === partnerKey);
    const isTwice = seen.has(JSON.stringify([key, partnerKey]));
    seen.add(JSON.stringify([key, partnerKey]));
    return !isRead && !isTwice;
  });
}

function namedOf({ vault }: Reading['stores'], told: ToldObject): Named[] {
  const [first] = told.rows;
  if (!first) return [];
  const id = rawIdOf(first.kind, first.cells);
  if (id === '') return [];
  const partnerKey = keyOf(vault, cellAt(first.cells, 'partner_id'));
  return [{ told, kind: first.kind, key: keyOf(vault, id), partnerKey }];
}

async function knownOf(
  tx: Tx,
  { importId, kind, named }: { importId: string; kind: ImportKind; named: readonly Named[] },
): Promise<Map<string, string | null>> {
  const rows = await query<{ key: string; partnerKey: string | null }>(
    tx,
    `SELECT k.key, r.partner_key AS "partnerKey" FROM unnest($3::text[]) AS k (key)
      CROSS JOIN LATERAL (SELECT partner_key FROM import_rows
        WHERE import_id = $1 AND kind = $2 AND their_key = k.key LIMIT 1) AS r`,
    [importId, kind, named.map(({ key }) => key)],
  );
  return new Map(rows.map(({ key, partnerKey }) => [key, partnerKey]));
}
