import { execute, query, type Tx } from '../../../entities/database/sql';
import { eraseFromFiles } from '../../imports/erase-from-files';
import type { Buyer, CustomerStores } from './buyer';

const ofImports = 'r.import_id IN (SELECT id FROM imports WHERE workspace_id = $1 AND mode = $2)';

/**
 * What was read of the buyer for imports that are open: their row as a customer goes, and commissions no
 * longer say whose sale it was; so do rows of uploaded files that name their address.
 */
export async function eraseFromImports(
  { db: tx, vault }: CustomerStores & { db: Tx },
  { workspaceId, mode, replacements, email }: Buyer,
): Promise<{ import_rows: number; import_chunks: number }> {
  const ids = [...replacements.keys(), ...(email === undefined ? [] : [email])];
  const place = [workspaceId, mode];
  const rows = await query<{ key: string | null }>(
    tx,
    `DELETE FROM import_rows AS r
      WHERE ${ofImports} AND r.kind = 'customers'
        AND (r.fields->>'customerId' = ANY ($3::text[]) OR r.their_key = ANY ($3::text[])
          OR r.fields->'aliases' ?| $3::text[])
      RETURNING r.their_key AS key`,
    [...place, ids],
  );
  const keys = [...ids, ...rows.flatMap(({ key }) => key ?? [])];
  const commissions = await execute(
    tx,
    `UPDATE import_rows AS r
        SET customer_key = NULL, fields = jsonb_set(r.fields, '{customerId}', 'null')
      WHERE ${ofImports} AND r.kind = 'commissions'
        AND (r.customer_key = ANY ($3::text[]) OR r.fields->>'customerId' = ANY ($3::text[]))`,
    [...place, keys],
  );
  const chunks =
    email === undefined
      ? 0
      : await eraseFromFiles({ tx, vault }, { emails: [email], workspaceId, mode });
  return { import_rows: rows.length + commissions, import_chunks: chunks };
}
