import { type Db, query, rowsAtOnce } from '../../entities/database/sql';
import type { TemporalLink } from '../../runtime/temporal/link';

/**
 * Open workflows that began since a moment and whose row the database does not have: ids of
 * workflows. One that began before has the row that it began with. Talks to the network.
 */
export async function findOrphans(
  { db, temporal }: { db: Db; temporal: Pick<TemporalLink, 'client'> },
  since: Date,
): Promise<string[]> {
  const orphans: string[] = [];
  let page: Named[] = [];
  const open = temporal.client.workflow.list({
    query: `ExecutionStatus = 'Running' AND StartTime >= '${since.toISOString()}'`,
    pageSize: rowsAtOnce,
  });
  for await (const { workflowId } of open) {
    page.push(...named(workflowId));
    if (page.length < rowsAtOnce) continue;
    orphans.push(...(await withoutRow(db, page)));
    page = [];
  }
  return [...orphans, ...(await withoutRow(db, page))];
}

/** The two parts of a workflow's id: whose it is, and the id of its row. */
interface Named {
  home: string;
  id: string;
}

const shape = /^(?<home>[a-z/-]+)\/(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Nothing for what belongs to no row, such as the runs of a schedule. */
function named(workflowId: string): Named[] {
  const { home, id } = shape.exec(workflowId)?.groups ?? {};
  return home !== undefined && id !== undefined ? [{ home, id }] : [];
}

async function withoutRow(db: Db, page: readonly Named[]): Promise<string[]> {
  const rows = await query<Named>(
    db,
    `SELECT w.home, w.id FROM unnest($1::text[], $2::uuid[]) AS w (home, id)
      WHERE NOT CASE w.home
        WHEN 'commission' THEN EXISTS (SELECT 1 FROM commissions WHERE id = w.id)
        WHEN 'payout-batch' THEN EXISTS (SELECT 1 FROM payout_batches WHERE id = w.id)
        WHEN 'biller-code' THEN EXISTS (SELECT 1 FROM biller_codes WHERE id = w.id)
        WHEN 'mail' THEN EXISTS (SELECT 1 FROM mails WHERE id = w.id)
        WHEN 'stripe-event' THEN EXISTS (SELECT 1 FROM stripe_events WHERE id = w.id)
        WHEN 'webhook-retries' THEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = w.id)
        WHEN 'webhook-requeue' THEN EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = w.id)
        WHEN 'test-reset' THEN EXISTS (SELECT 1 FROM workspaces WHERE id = w.id)
        WHEN 'erasure/account' THEN EXISTS (SELECT 1 FROM partner_accounts WHERE id = w.id)
        WHEN 'erasure/participant' THEN EXISTS (SELECT 1 FROM participants WHERE id = w.id)
        ELSE true END`,
    [page.map(({ home }) => home), page.map(({ id }) => id)],
  );
  return rows.map(({ home, id }) => `${home}/${id}`);
}
