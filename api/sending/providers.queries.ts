import { readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import { payoutProviders } from '../../entities/rules/payouts/providers';
import type { Scope } from '../../entities/rules/values/mode';
import type { PayoutProviderDto } from './providers.dto';

/** Every provider that there is, connected or not; with `provider` that one alone. */
export function listProviders(
  db: Db,
  { workspaceId, mode }: Scope,
  { provider, ...page }: Window & { provider?: string },
): Promise<Found<PayoutProviderDto>> {
  const list = {
    columns: `p.name AS provider, c.client_id AS "clientId", c.last_error AS "lastError",
      CASE WHEN c.id IS NULL THEN 'not_connected' WHEN c.last_error IS NULL THEN 'connected'
           ELSE 'error' END AS status`,
    from: 'unnest($3::text[]) AS p (name)',
    joins: `LEFT JOIN payout_connections AS c
        ON c.provider = p.name AND c.workspace_id = $1 AND c.mode = $2`,
    where: '($4::text IS NULL OR p.name = $4) AND ($1::uuid IS NOT NULL AND $2::text IS NOT NULL)',
    params: [workspaceId, mode, [...payoutProviders], provider ?? null],
    order: { by: ['p.name'], direction: 'ASC' },
  } as const;
  return readList<PayoutProviderDto>(db, list, page);
}
