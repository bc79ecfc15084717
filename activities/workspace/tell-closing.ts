import {
  boundedTransaction,
  execute,
  query,
  queryOne,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import type { Amount } from '../../entities/rules/notifications/facts';
import type { Mode } from '../../entities/rules/values/mode';
import type { CommandContext, WorkspaceContext } from '../journal/cause';
import { enqueue, enqueueSql } from '../journal/outbox';
import { notify } from '../notifications/notify';

/** Sums of all their commissions are added up: few partners a statement. */
const partnersAtOnce = 100;

/** What partners are told of the end of the workspace that has their programme. */
export interface ClosingNews {
  programId: string;
  kind: 'closing' | 'reopened';
  /** When the workspace ends, or would have ended: an ISO instant. */
  until: string;
  /** The last participant of the page before; absent at first. */
  after?: string | undefined;
}

/** Notes work for each programme, in the transaction that sets the end of a workspace or takes it back. */
export async function noteClosing(
  tx: Tx,
  { scope: { workspaceId }, requestId, now }: WorkspaceContext,
  { kind, until }: Pick<ClosingNews, 'kind' | 'until'>,
): Promise<void> {
  await execute(
    tx,
    enqueueSql({
      topic: 'workspace_closing',
      ref: 'p.id',
      payload: `jsonb_build_object('mode', p.mode, 'kind', $2::text, 'until', $3::text)`,
      workspaceId: 'p.workspace_id',
      availableAt: '$4::timestamptz',
      requestId: '$5::text',
      from: 'programs AS p WHERE p.workspace_id = $1',
    }),
    [workspaceId, kind, until, now, requestId ?? null],
  );
}

/**
 * Tells those of a page of a programme's partners who have money pending or owed there, and leaves the
 * next page to the relay. Whoever was told of the end hears that it is taken back, paid meanwhile or
 * not. Nothing is told of what does not hold any more.
 */
export async function tellClosing(
  db: Db,
  context: CommandContext,
  news: ClosingNews,
): Promise<void> {
  const { programId, kind, until } = news;
  const { workspaceId, mode } = context.scope;
  await boundedTransaction(db, async (tx) => {
    if (!(await holds(tx, context, news))) return;
    const page = await query<Told>(tx, pageSql, [
      programId,
      news.after ?? null,
      workspaceId,
      mode,
      until,
      kind,
    ]);
    await notify(
      tx,
      context,
      page.flatMap((partner) => noticeOf(partner, { workspaceId, mode, programId, kind, until })),
    );
    const last = page.length === partnersAtOnce ? page.at(-1)?.id : undefined;
    if (!last) return;
    const { requestId, now: availableAt } = context;
    const payload = { mode, kind, until, after: last };
    const next = { topic: 'workspace_closing' as const, ref: programId, workspaceId, payload };
    await enqueue(tx, { ...next, requestId, availableAt });
  });
}

/** Locked, so that what is told and what is taken back meanwhile stay in their order. */
async function holds(
  tx: Tx,
  { scope: { workspaceId } }: CommandContext,
  { kind, until }: ClosingNews,
): Promise<boolean> {
  const workspace = await queryOne<{ closesAt: Date | null }>(
    tx,
    `SELECT closes_at AS "closesAt" FROM workspaces WHERE id = $1 AND closed_at IS NULL FOR SHARE`,
    [workspaceId],
  );
  if (!workspace) return false;
  const expected = kind === 'closing' ? until : undefined;
  return workspace.closesAt?.toISOString() === expected;
}

interface Told {
  id: string;
  partnerId: string;
  programName: string;
  causeId: string;
  wasTold: boolean;
  sums: { currency: string; pendingCents: number; owedCents: number }[];
}

function noticeOf(
  { id, partnerId, programName, causeId, wasTold, sums }: Told,
  of: ClosingNews & { workspaceId: string; mode: Mode },
) {
  const pending = amounts(sums.map((sum) => [sum.currency, sum.pendingCents]));
  const owed = amounts(sums.map((sum) => [sum.currency, sum.owedCents]));
  const hasMoney = pending.length > 0 || owed.length > 0;
  if (!hasMoney && !(of.kind === 'reopened' && wasTold)) return [];
  const { workspaceId, mode, programId, kind, until } = of;
  return [
    {
      side: 'partner' as const,
      type: 'program.closing' as const,
      ...{ feedId: partnerId, workspaceId, mode, participantId: id, causeId },
      data: { programId, participantId: id },
      facts: { programName, kind, until, pending, amounts: owed },
    },
  ];
}

/** Money that a partner owes is none that they wait for. */
function amounts(sums: readonly (readonly [string, number])[]): Amount[] {
  return sums
    .filter(([, amountCents]) => amountCents > 0)
    .map(([currency, amountCents]) => ({ currency, amountCents }));
}

/** The same for the same partner and end: a notice of one cause is written once. */
const causeOf = (kind: string): string =>
  `md5(p.id::text || ' ' || $5::text || ' ' || ${kind})::uuid`;

/**
 * A page of the partners who have claimed their participation: one who was only added by a server
 * has no feed to read yet.
 */
const pageSql = `
  SELECT p.id, p.partner_id AS "partnerId", g.name AS "programName",
         ${causeOf('$6::text')} AS "causeId",
         EXISTS (SELECT 1 FROM notifications AS n
                  WHERE n.cause_id = ${causeOf(`'closing'`)} AND n.feed_id = p.partner_id
                    AND n.type = 'program.closing') AS "wasTold",
         coalesce((SELECT jsonb_agg(to_jsonb(s) ORDER BY s.currency) FROM (
           SELECT c.currency,
                  coalesce(sum(c.owed_cents) FILTER (WHERE c.status = 'pending'), 0) AS "pendingCents",
                  coalesce(sum(c.owed_cents) FILTER (WHERE c.status <> 'pending'), 0) AS "owedCents"
             FROM commissions AS c WHERE c.participant_id = p.id GROUP BY c.currency) AS s), '[]') AS sums
    FROM participants AS p JOIN programs AS g ON g.id = p.program_id
   WHERE p.program_id = $1 AND p.workspace_id = $3 AND p.mode = $4
     AND p.erased_at IS NULL AND p.claimed_at IS NOT NULL
     AND ($2::uuid IS NULL
          OR (p.created_at, p.id) > ((SELECT created_at FROM participants WHERE id = $2), $2))
   ORDER BY p.created_at, p.id LIMIT ${partnersAtOnce}`;
