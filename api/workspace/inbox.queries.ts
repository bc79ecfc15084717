import { indebtedIn } from '../../activities/payouts/payables';
import { readList, type Found, type Window } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';

/** What waits for somebody of the workspace, by kind. */
export interface InboxCounts {
  applications: number;
  review: number;
  fraudFlags: number;
  deadLetters: number;
  stripeFailures: number;
  billerFailures: number;
  payoutsProcessing: number;
  payoutAttention: number;
  debts: number;
}

/** Kinds of which each waits in a programme, or at a webhook. */
export const placedKinds = [
  'applications',
  'review',
  'fraudFlags',
  'payoutsProcessing',
  'payoutAttention',
  'debts',
  'deadLetters',
] as const;

export type PlacedKind = (typeof placedKinds)[number];

type InProgram = Exclude<PlacedKind, 'deadLetters'>;

/** What waits in the programmes of `own`, a row each; what `counted` names is counted, once. */
const inPrograms: Record<InProgram, { rows: string; programId: string; counted: string }> = {
  applications: {
    rows: `participants AS p WHERE p.program_id IN (SELECT id FROM own) AND p.status = 'pending'
             AND p.erased_at IS NULL`,
    programId: 'p.program_id',
    counted: '*',
  },
  review: {
    rows: `commissions AS c WHERE c.program_id IN (SELECT id FROM own) AND c.needs_review
             AND c.status = 'pending'`,
    programId: 'c.program_id',
    counted: '*',
  },
  fraudFlags: {
    rows: `fraud_flags AS f WHERE f.program_id IN (SELECT id FROM own) AND f.state = 'open'
             AND EXISTS (SELECT 1 FROM commissions AS c
                          WHERE c.conversion_id = f.conversion_id AND c.status = 'pending')`,
    programId: 'f.program_id',
    counted: '*',
  },
  payoutsProcessing: {
    rows: `payouts AS o WHERE o.workspace_id = $1 AND o.mode = $2 AND o.status = 'processing'
             AND ($3::uuid IS NULL OR o.program_id = $3)`,
    programId: 'o.program_id',
    counted: '*',
  },
  payoutAttention: {
    rows: `payout_items AS i JOIN payouts AS o ON o.id = i.payout_id
            WHERE i.workspace_id = $1 AND i.mode = $2 AND i.attention_reason IS NOT NULL
              AND ($3::uuid IS NULL OR o.program_id = $3)`,
    programId: 'o.program_id',
    counted: '*',
  },
  debts: {
    rows: `(${indebtedIn('IN (SELECT id FROM own)')}) AS indebted
            JOIN participants AS p ON p.id = indebted.participant_id`,
    programId: 'p.program_id',
    counted: 'DISTINCT p.id',
  },
};

const programKinds = Object.keys(inPrograms) as InProgram[];

/** Programmes of a workspace ($1) and mode ($2); of one of them, where it is named ($3). */
const ownPrograms = `own AS MATERIALIZED (SELECT id, name FROM programs
  WHERE workspace_id = $1 AND mode = $2 AND ($3::uuid IS NULL OR id = $3))`;

const deadLetters = `webhook_endpoints AS e
  JOIN webhook_deliveries AS d ON d.endpoint_id = e.id AND d.status = 'dead_letter'
 WHERE e.workspace_id = $1 AND e.mode = $2 AND e.deleted_at IS NULL AND $3::uuid IS NULL`;

/** How many events of billers failed, or wait for more than a day. */
const failing = (which: string): string => `(SELECT count(*) FROM stripe_events AS s
  WHERE s.workspace_id = $1 AND s.mode = $2 AND $3::uuid IS NULL AND ${which}
    AND (s.status = 'failed'
      OR (s.status = 'waiting' AND s.received_at < now() - interval '1 day')))::int`;

/**
 * One look into an index for each kind; only what is open is counted, never what was. Of one programme
 * what waits at webhooks and billers is none.
 */
export async function countInbox(
  db: Db,
  { workspaceId, mode }: Scope,
  programId?: string,
): Promise<InboxCounts> {
  const ofPrograms = programKinds.map((kind) => {
    const { rows, counted } = inPrograms[kind];
    return `(SELECT count(${counted}) FROM ${rows})::int AS "${kind}"`;
  });
  const counts = await queryOne<InboxCounts>(
    db,
    `WITH ${ownPrograms}
     SELECT ${ofPrograms.join(', ')},
       (SELECT count(*) FROM ${deadLetters})::int AS "deadLetters",
       ${failing("s.biller = 'stripe'")} AS "stripeFailures",
       ${failing("s.biller <> 'stripe'")} AS "billerFailures"`,
    [workspaceId, mode, programId ?? null],
  );
  if (!counts) throw new Error('a row of counts is always there');
  return counts;
}

/** A programme or a webhook where something of a kind waits. */
export interface InboxPlace {
  kind: PlacedKind;
  programId: string | null;
  webhookId: string | null;
  /** The programme's name, or the URL of a webhook. */
  name: string;
  count: number;
}

/** Where it waits, the fullest first. */
export async function listInboxPlaces(
  db: Db,
  { workspaceId, mode }: Scope,
  { programId, kind, ...page }: Window & { programId?: string; kind?: PlacedKind },
): Promise<Found<InboxPlace>> {
  const ofPrograms = programKinds.map((one) => {
    const { rows, programId: column, counted } = inPrograms[one];
    return `SELECT '${one}'::text AS kind, own.id AS program_id, NULL::uuid AS webhook_id,
                   own.name AS name, open.count
              FROM (SELECT ${column} AS id, count(${counted})::int AS count FROM ${rows}
                     GROUP BY ${column}) AS open
              JOIN own ON own.id = open.id
             WHERE $4::text IS NULL OR $4 = '${one}'`;
  });
  const places = `WITH ${ownPrograms} ${ofPrograms.join(' UNION ALL ')} UNION ALL
    SELECT 'deadLetters', NULL, e.id, e.url, count(*)::int FROM ${deadLetters}
       AND ($4::text IS NULL OR $4 = 'deadLetters') GROUP BY e.id`;
  const list = {
    columns: `w.kind, w.program_id AS "programId", w.webhook_id AS "webhookId", w.name, w.count`,
    from: `(${places}) AS w`,
    where: 'true',
    params: [workspaceId, mode, programId ?? null, kind ?? null],
    order: {
      by: ['w.count', 'w.kind', 'coalesce(w.program_id, w.webhook_id)'],
      direction: 'DESC' as const,
    },
  };
  return readList(db, list, page);
}
