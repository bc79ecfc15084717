import { query, type Db } from '../../entities/database/sql';
import { firstIdAt, isUuid } from '../../entities/ids';
import type { Mode } from '../../entities/rules/values/mode';

export type SubjectKind =
  | 'commission'
  | 'conversion'
  | 'event'
  | 'webhook delivery'
  | 'webhook endpoint'
  | 'Stripe event'
  | 'Paddle event'
  | 'Polar event'
  | 'code at a biller'
  | 'mail'
  | 'erasure'
  | 'reset of test data'
  | 'audit line';

/** What an id names. */
export interface Subject {
  kind: SubjectKind;
  id: string;
  workspaceId: string | null;
  mode: Mode | null;
  /** Rows that it leads to: the commission of a conversion, the event of a delivery. */
  related: string[];
}

const columns = `id, workspace_id AS "workspaceId", mode`;

/** Records by an id of ours; `evt_` before it is what receivers see. */
const byId = `
  SELECT 'commission' AS kind, ${columns}, array_remove(ARRAY[conversion_id], NULL) AS related
    FROM commissions WHERE id = $1
  UNION ALL SELECT 'conversion', ${columns},
    ARRAY(SELECT m.id FROM commissions m WHERE m.conversion_id = conversions.id)
    FROM conversions WHERE id = $1
  UNION ALL SELECT 'event', ${columns}, ARRAY[object_id] FROM events WHERE id = $1
  UNION ALL SELECT 'webhook delivery', ${columns}, ARRAY[event_id, endpoint_id]
    FROM webhook_deliveries WHERE id = $1
  UNION ALL SELECT 'webhook endpoint', ${columns}, '{}' FROM webhook_endpoints WHERE id = $1
  UNION ALL SELECT initcap(biller) || ' event', ${columns}, ARRAY(
      SELECT p.conversion_id FROM stripe_payments p
       WHERE p.id = stripe_events.payment_id AND p.conversion_id IS NOT NULL)
    FROM stripe_events WHERE id = $1
  UNION ALL SELECT 'code at a biller', ${columns}, '{}' FROM biller_codes WHERE id = $1
  UNION ALL SELECT 'mail', ${columns}, '{}' FROM mails WHERE id = $1
  UNION ALL SELECT 'erasure', id, NULL, NULL, '{}' FROM erasures WHERE id = $1 OR subject_id = $1
  UNION ALL SELECT 'reset of test data', id, workspace_id, 'test', '{}'
    FROM test_data_resets WHERE id = $1`;

/** Records by an id of a biller's or of the merchant's, in every workspace that has one. */
const byName = `
  SELECT initcap(e.biller) || ' event' AS kind, e.id, e.workspace_id AS "workspaceId", e.mode, ARRAY(
      SELECT p.conversion_id FROM stripe_payments p
       WHERE p.id = e.payment_id AND p.conversion_id IS NOT NULL) AS related
    FROM stripe_connections c JOIN stripe_events e
      ON e.connection_id = c.id AND e.stripe_event_id = $1
  UNION ALL SELECT 'conversion', a.conversion_id, a.workspace_id, a.mode,
    ARRAY(SELECT m.id FROM commissions m WHERE m.conversion_id = a.conversion_id)
    FROM workspaces w CROSS JOIN (VALUES ('test'), ('live')) AS m (mode)
    JOIN conversion_aliases a ON a.workspace_id = w.id AND a.mode = m.mode AND a.alias = $1
  UNION ALL SELECT 'conversion', p.conversion_id, p.workspace_id, p.mode,
    ARRAY(SELECT m.id FROM commissions m WHERE m.conversion_id = p.conversion_id)
    FROM workspaces w CROSS JOIN (VALUES ('test'), ('live')) AS m (mode)
    JOIN stripe_objects o ON o.workspace_id = w.id AND o.mode = m.mode AND o.object_id = $1
    JOIN stripe_payments p ON p.id = o.payment_id
   WHERE p.conversion_id IS NOT NULL`;

/** What happened in one request: its events. */
const eventsOfRequest = `
  SELECT 'event' AS kind, ${columns}, ARRAY[object_id] AS related
    FROM events WHERE id >= $2::uuid AND request_id = $1 LIMIT 100`;

/** Audit lines of a request that wrote no event. */
const auditOfRequest = `
  SELECT 'audit line' AS kind, id, workspace_id AS "workspaceId", NULL AS mode, '{}'::uuid[] AS related
    FROM audit_log WHERE id >= $2::uuid AND request_id = $1 LIMIT 100`;

/** What is known by a text; none when nothing is. Requests are looked for since an instant. */
export async function findSubjects(db: Db, name: string, since: Date): Promise<Subject[]> {
  const id = name.replace(/^evt_/, '');
  const ours = isUuid(id) ? await query<Subject>(db, byId, [id]) : [];
  if (ours.length > 0) return ours;
  const named = distinct(await query<Subject>(db, byName, [name]));
  if (named.length > 0) return named;
  const asked = [name, firstIdAt(since)];
  const events = await query<Subject>(db, eventsOfRequest, asked);
  return events.length > 0 ? events : query<Subject>(db, auditOfRequest, asked);
}

function distinct(subjects: Subject[]): Subject[] {
  return [...new Map(subjects.map((subject) => [subject.id, subject])).values()];
}
