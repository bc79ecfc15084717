import {
  queryOne,
  rowsAtOnce,
  transaction,
  type Db,
  type Tx,
} from '../../../entities/database/sql';
import { note, type ScanCursor, type ScanDeps, type ScanPlace } from './place';

const noId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What receivers answered, one endpoint after the other, the newest first. */
export async function scanDeliveries(
  { db }: ScanDeps,
  place: ScanPlace,
  cursor: ScanCursor,
): Promise<Omit<ScanCursor, 'table'> | null> {
  if (place.identifying.length === 0) return null;
  const endpointId = await endpointAt(db.manager, place, cursor);
  if (endpointId === undefined) return null;
  const isBegun = endpointId === cursor.endpointId;
  const from = { endpointId, before: isBegun ? cursor.before : null, beforeId: cursor.beforeId };

  const page = await transaction(db, async (tx) => {
    const pattern = patternOf(place.identifying);
    const cleaned = await cleanPage(tx, { ...from, since: place.since }, pattern);
    await note(tx, place, { table: 'webhook_deliveries', rows: cleaned?.rows ?? 0 });
    return cleaned;
  });
  const isLast = !page || page.read < rowsAtOnce;
  return isLast
    ? { endpointId, before: null, beforeId: null }
    : { endpointId, before: page.before, beforeId: page.beforeId };
}

/** The endpoint that was begun, else the next one. */
async function endpointAt(
  db: Db,
  { participation: { workspaceId, mode } }: ScanPlace,
  { endpointId = null, before }: ScanCursor,
): Promise<string | undefined> {
  if (endpointId !== null && before !== null) return endpointId;
  const next = await queryOne<{ id: string }>(
    db,
    `SELECT id FROM webhook_endpoints WHERE workspace_id = $1 AND mode = $2 AND id > $3
      ORDER BY id LIMIT 1`,
    [workspaceId, mode, endpointId ?? noId],
  );
  return next?.id;
}

interface CleanedPage {
  read: number;
  rows: number;
  before: string;
  beforeId: string;
}

function cleanPage(
  tx: Tx,
  {
    endpointId,
    before,
    beforeId,
    since,
  }: Record<'before' | 'beforeId', string | null> & { endpointId: string; since: Date | null },
  pattern: string,
): Promise<CleanedPage | undefined> {
  return queryOne<CleanedPage>(
    tx,
    `WITH page AS MATERIALIZED (
       SELECT id, created_at FROM webhook_deliveries
        WHERE endpoint_id = $1 AND (created_at, id) < ($2::timestamptz, $3::uuid)
        ORDER BY created_at DESC, id DESC LIMIT ${rowsAtOnce}),
     due AS (
       SELECT d.id FROM webhook_deliveries AS d JOIN page USING (id)
        WHERE ($5::timestamptz IS NULL OR d.last_attempt_at >= $5) AND d.response_body ~* $4 ORDER BY d.id FOR UPDATE OF d),
     cleaned AS (
       UPDATE webhook_deliveries AS d SET response_body = NULL FROM due WHERE d.id = due.id
       RETURNING 1)
     SELECT (SELECT count(*) FROM page) AS read, (SELECT count(*) FROM cleaned) AS rows,
            created_at::text AS before, id AS "beforeId"
       FROM page ORDER BY created_at, id LIMIT 1`,
    [endpointId, before ?? 'infinity', before === null ? lastId : beforeId, pattern, since],
  );
}

function patternOf(identifying: readonly string[]): string {
  const words = identifying.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return `(^|[^[:alnum:]])(${words.join('|')})([^[:alnum:]]|$)`;
}
