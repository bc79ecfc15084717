import { isAboutData } from '../../entities/database/errors';
import { prepared, query, type Db } from '../../entities/database/sql';
import type { Click } from '../../entities/tables/clicks/click.entity';
import { MicroBatch, recordOf, type Outcome } from '../../runtime/load/micro-batch';

type Column =
  | 'id'
  | 'createdAt'
  | 'linkId'
  | 'visitorId'
  | 'url'
  | 'referrer'
  | 'userAgent'
  | 'ipHash';

export interface ClickRow extends Pick<Click, Column> {
  /** True for a click that repeats an earlier one, whose row may or may not be there. */
  isRepeat: boolean;
}

interface StoredClick extends Pick<Click, 'expiresAt'> {
  /** False: the row was there before. */
  created: boolean;
}

/** Undefined: the link or its partner is gone, nothing was stored. */
export type ClickResult = StoredClick | undefined;

const maxInFlight = 2;

/**
 * One statement for a batch. What the click names is read here and not from a cache, so a deletion,
 * an erasure, a partner's approval and a changed window count from the commit on. The rows go in
 * sorted, because batches that share ids would otherwise wait for each other.
 *
 * Each array is a sub-select and each join a LATERAL of one row: so the planner sees neither how many
 * clicks there are nor a reason to read a table whole, and keeps one generic plan of index scans
 * where it would plan every batch again, which costs three times as much as the statement.
 */
const storeSql = `
  WITH incoming AS (
    SELECT click.*, owner.*,
           click.created_at + owner.window_days * interval '24 hours' AS expires_at
      FROM unnest((SELECT $1::uuid[]), (SELECT $2::timestamptz[]), (SELECT $3::uuid[]),
                  (SELECT $4::uuid[]), (SELECT $5::text[]), (SELECT $6::text[]),
                  (SELECT $7::text[]), (SELECT $8::text[]))
        AS click (id, created_at, link_id, visitor_id, url, referrer, user_agent, ip_hash)
     CROSS JOIN LATERAL (
       SELECT link.workspace_id, link.mode, link.program_id, link.participant_id,
              participant.creditable, program.window_days
         FROM tracking_links link
        CROSS JOIN LATERAL (
          SELECT p.status = 'approved' AS creditable FROM participants p
           WHERE p.id = link.participant_id AND p.erased_at IS NULL LIMIT 1) participant
        CROSS JOIN LATERAL (
          SELECT g.attribution_window_days AS window_days FROM programs g
           WHERE g.id = link.program_id LIMIT 1) program
        WHERE link.id = click.link_id AND link.deleted_at IS NULL
        LIMIT 1) owner
  ), stored AS (
    INSERT INTO clicks (id, created_at, workspace_id, mode, program_id, participant_id, link_id,
                        visitor_id, creditable, expires_at, url, referrer, user_agent, ip_hash)
    SELECT id, created_at, workspace_id, mode, program_id, participant_id, link_id, visitor_id,
           creditable, expires_at, url, referrer, user_agent, ip_hash
      FROM incoming ORDER BY id
    ON CONFLICT ON CONSTRAINT pk_clicks DO NOTHING
    RETURNING id
  )
  SELECT incoming.id, incoming.expires_at AS "expiresAt", stored.id IS NOT NULL AS created
    FROM incoming LEFT JOIN stored USING (id)`;

/**
 * Stores clicks in shared commits: each is answered after the commit that carries it. Storing one
 * id twice is harmless, so a batch whose connection broke is sent once more.
 */
export function createClickBatcher(db: Db): Pick<MicroBatch<ClickRow, ClickResult>, 'submit'> {
  const outcomes = new MicroBatch<ClickRow, ClickOutcome>({
    maxItems: 500,
    maxInFlight,
    surge: { items: 16, maxInFlight: 6 },
    maxWaiting: 20_000,
    patienceMs: 10_000,
    commit: (rows) => storeTogetherOrSingly(db, rows),
  });
  return { submit: async (row) => recordOf(await outcomes.submit(row)) };
}

type ClickOutcome = Outcome<ClickResult>;

/** One bad row must not fail its neighbours: a batch that the database refuses is stored singly. */
async function storeTogetherOrSingly(db: Db, rows: ClickRow[]): Promise<ClickOutcome[]> {
  try {
    return await storeTwice(db, rows);
  } catch (error) {
    if (!isAboutData(error) || rows.length === 1) throw error;
  }
  const outcomes: ClickOutcome[] = [];
  for (const row of rows) {
    outcomes.push(
      ...(await storeTwice(db, [row]).catch((error: unknown): ClickOutcome[] => [{ error }])),
    );
  }
  return outcomes;
}

async function storeTwice(db: Db, rows: ClickRow[]): Promise<ClickOutcome[]> {
  const started = performance.now();
  try {
    return await store(db, rows);
  } catch (error) {
    // A database that took long to fail is not asked again: a visitor is waiting for an answer.
    if (isAboutData(error) || performance.now() - started > 1_000) throw error;
    // The first attempt may have committed before its connection broke: a row that is there now,
    // and that is not announced as a repeat, is ours.
    return (await store(db, rows)).map((outcome, index) =>
      outcome.record && rows[index]?.isRepeat === false
        ? { record: { ...outcome.record, created: true } }
        : outcome,
    );
  }
}

type StoredRow = StoredClick & Pick<Click, 'id'>;

async function store(db: Db, rows: ClickRow[]): Promise<{ record: ClickResult }[]> {
  const stored = await prepared<StoredRow>(db, {
    name: 'store_clicks',
    text: storeSql,
    values: [
      plainArray(rows.map(({ id }) => id)),
      plainArray(rows.map(({ createdAt }) => createdAt.toISOString())),
      plainArray(rows.map(({ linkId }) => linkId)),
      plainArray(rows.map(({ visitorId }) => visitorId)),
      rows.map(({ url }) => url),
      rows.map(({ referrer }) => referrer),
      rows.map(({ userAgent }) => userAgent),
      rows.map(({ ipHash }) => ipHash),
    ],
  });
  const byId = new Map(stored.map((row) => [row.id, row]));
  await readEarlierWindows(db, byId);
  const creators = chooseCreators(rows, byId);
  return rows.map((row, index) => {
    const found = byId.get(row.id);
    if (!found) return { record: undefined };
    return { record: { created: creators.has(index), expiresAt: found.expiresAt } };
  });
}

/** Values that need no quotes: the driver would look at each of their characters. */
function plainArray(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}

/** A click that was there before keeps the window it was given then. */
async function readEarlierWindows(db: Db, byId: Map<string, StoredRow>): Promise<void> {
  const earlier = [...byId.values()].filter(({ created }) => !created).map(({ id }) => id);
  if (earlier.length === 0) return;

  const rows = await query<{ id: string; expiresAt: Date }>(
    db,
    'SELECT id, expires_at AS "expiresAt" FROM clicks WHERE id = ANY($1::uuid[])',
    [earlier],
  );
  for (const { id, expiresAt } of rows) {
    const row = byId.get(id);
    if (row) row.expiresAt = expiresAt;
  }
}

/** Equal clicks in one batch make one row; exactly one of them is reported as its creator. */
function chooseCreators(rows: ClickRow[], byId: Map<string, StoredRow>): Set<number> {
  const creators = new Map<string, number>();
  rows.forEach((row, index) => {
    if (!byId.get(row.id)?.created) return;
    if (!creators.has(row.id) || !row.isRepeat) creators.set(row.id, index);
  });
  return new Set(creators.values());
}
