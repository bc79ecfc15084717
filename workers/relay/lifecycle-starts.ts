import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import type { Work } from '../../activities/journal/outbox-claims';
import { createPace } from '../../runtime/load/pace';
import type { Deps } from '../../runtime/process/deps';
import { selectList } from '../../entities/database/columns';
import { query, rowsAtOnce } from '../../entities/database/sql';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import {
  changedSignalName,
  memoOf,
  signalArgsOf,
  taskQueues,
  workflowIds,
  type CommissionLifecycleInput,
} from '../../runtime/temporal/messages';
import type { ClaimReport, TopicHandler } from './process-claim';
import { searchAttributes } from '../../runtime/temporal/search-attributes';
import { fairTo } from '../temporal/search-keys';
import { callForEach } from './temporal-calls';

const used = [
  'id',
  'workspaceId',
  'programId',
  'mode',
  'status',
  'holdUntil',
  'holdElapsed',
  'needsReview',
] as const satisfies (keyof Commission)[];

type CommissionRow = Pick<Commission, (typeof used)[number]>;

/**
 * A new commission gets its workflow, a changed one a signal. No request waits for either (holds are
 * days), so the starts are spaced evenly by RELAY_STARTS_PER_SECOND, which is always used in full.
 */
export function commissionHandler(deps: Deps): TopicHandler {
  const perSecond = deps.config.relayStartsPerSecond;
  const pace = createPace(perSecond);
  return {
    claimSize: inASecond(perSecond),
    async handle(work, report) {
      const rows = await findCommissions(deps, work);
      const isPending = ({ ref }: Work): boolean => rows.get(ref)?.status === 'pending';
      const done = await callForEach(deps, work, {
        report,
        turn: (item) => (isPending(item) ? pace.turn() : undefined),
        call: async (client, { ref, requestId }) => {
          const row = rows.get(ref);
          if (row?.status !== 'pending') return signalChanged(client, ref, requestId);
          await startOrSignal(client, row, requestId);
        },
      });
      const started = work.filter((item) => isPending(item) && done.includes(item.id));
      const untold = await signalDecided(deps, started, report);
      return done.filter((id) => !untold.has(id));
    },
  };
}

/** A claim of a topic that is paced: as much as a second takes, so that little waits in a lease. */
export function inASecond(perSecond: number): number {
  return perSecond === 0 ? rowsAtOnce : Math.min(rowsAtOnce, Math.ceil(perSecond));
}

async function findCommissions(deps: Deps, work: Work[]): Promise<Map<string, CommissionRow>> {
  const rows = await query<CommissionRow>(
    deps.db.manager,
    `SELECT ${selectList(Commission, 'm', used)} FROM commissions AS m WHERE m.id = ANY($1)`,
    [work.map(({ ref }) => ref)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Tells the lifecycles of what was decided between the look at their rows and their start: the decision's
 * own signal may have come before, when another claim carried it, and found nobody. Gives the rows of
 * those that could not be told.
 */
async function signalDecided(
  deps: Deps,
  started: Work[],
  report: ClaimReport,
): Promise<ReadonlySet<number>> {
  if (started.length === 0) return new Set();
  const rows = await findCommissions(deps, started);
  const decided = started.filter(({ ref }) => rows.get(ref)?.status !== 'pending');
  const told = await callForEach(deps, decided, {
    report,
    call: (client, { ref, requestId }) => signalChanged(client, ref, requestId),
  });
  return new Set(decided.map(({ id }) => id).filter((id) => !told.includes(id)));
}

function lifecycleStart(
  row: CommissionRow,
  requestId: string | null,
): WorkflowStartOptions & { args: unknown[] } {
  const input: CommissionLifecycleInput = {
    commissionId: row.id,
    holdUntil: row.holdUntil?.toISOString() ?? null,
    needsReview: row.needsReview,
  };
  return {
    workflowId: workflowIds.commission(row.id),
    taskQueue: taskQueues.commissions,
    priority: fairTo(row),
    args: [input],
    typedSearchAttributes: searchAttributes(row),
    memo: memoOf(requestId),
    staticSummary: `Commission ${row.id}, ${row.mode} mode`,
    staticDetails: waitsFor(row),
  };
}

/** What an operator reads before the first task; the workflow's own words follow the same order. */
function waitsFor({ holdUntil, holdElapsed, needsReview }: CommissionRow): string {
  if (holdUntil !== null && !holdElapsed) return `Held until ${holdUntil.toISOString()}.`;
  return needsReview ? 'Waits for a manual review.' : 'Waits for a decision.';
}

async function startOrSignal(
  client: Client,
  row: CommissionRow,
  requestId: string | null,
): Promise<void> {
  try {
    await client.workflow.start('commissionLifecycle', lifecycleStart(row, requestId));
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await signalChanged(client, row.id, requestId);
  }
}

async function signalChanged(
  client: Client,
  commissionId: string,
  requestId: string | null,
): Promise<void> {
  try {
    const handle = client.workflow.getHandle(workflowIds.commission(commissionId));
    await handle.signal(changedSignalName, ...signalArgsOf(requestId));
  } catch (error) {
    // No workflow waits for this decision.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
