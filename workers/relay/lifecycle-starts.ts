import {
  TypedSearchAttributes,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/common';
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import type { Work } from '../../activities/journal/outbox-claims';
import type { Deps } from '../../runtime/process/deps';
import { selectList } from '../../entities/database/columns';
import { query } from '../../entities/database/sql';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import {
  changedSignalName,
  taskQueues,
  workflowIds,
  type CommissionLifecycleInput,
} from '../../workflows/messages';
import type { TopicHandler } from './carry-work';
import { fairTo, searchKeys } from '../temporal/search-keys';
import type { SpareTime } from './spare-time';
import { createStartRate } from './start-rate';
import { callForEach } from './temporal-calls';

const used = [
  'id',
  'workspaceId',
  'programId',
  'mode',
  'status',
  'holdUntil',
  'needsReview',
] as const satisfies (keyof Commission)[];

type CommissionRow = Pick<Commission, (typeof used)[number]>;

/** Calls at the same time of what no person waits for. */
export const patientCalls = 4;

/**
 * A new commission gets its workflow, a changed one a signal. No request waits for either (holds are
 * days), so they are bounded a second and make room while the machine has no time to spare.
 */
export function commissionHandler(deps: Deps, spare: SpareTime): TopicHandler {
  const perSecond = deps.config.relayStartsPerSecond;
  const rate = createStartRate(perSecond, { spare });
  return {
    batch: () => rate.inASecond(),
    async handle(work, report) {
      rate.took(work.length);
      const rows = await findCommissions(deps, work);
      return callForEach(deps, work, {
        report,
        ...(perSecond === 0 ? {} : { parallel: patientCalls }),
        turn: ({ ref }) => (rows.get(ref)?.status === 'pending' ? rate.turn() : undefined),
        call: async (client, { ref }) => {
          const row = rows.get(ref);
          if (row?.status !== 'pending') return signalChanged(client, workflowIds.commission(ref));
          await startOrSignal(client, 'commissionLifecycle', lifecycleStart(row));
        },
      });
    },
  };
}

async function findCommissions(deps: Deps, work: Work[]): Promise<Map<string, CommissionRow>> {
  const rows = await query<CommissionRow>(
    deps.db.manager,
    `SELECT ${selectList(Commission, 'm', used)} FROM commissions AS m WHERE m.id = ANY($1)`,
    [work.map(({ ref }) => ref)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

type StartOptions = WorkflowStartOptions & { args: unknown[] };

function lifecycleStart(row: CommissionRow): StartOptions {
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
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchKeys.workspaceId, value: row.workspaceId },
      { key: searchKeys.programId, value: row.programId },
      { key: searchKeys.mode, value: row.mode },
      { key: searchKeys.stage, value: row.needsReview ? 'review' : 'hold' },
    ]),
    staticSummary: `Commission ${row.id}, ${row.mode} mode`,
    staticDetails: row.needsReview
      ? 'Waits for a manual review.'
      : `Held until ${row.holdUntil?.toISOString() ?? 'now'}.`,
  };
}

async function startOrSignal(client: Client, type: string, options: StartOptions): Promise<void> {
  try {
    await client.workflow.start(type, options);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await signalChanged(client, options.workflowId);
  }
}

async function signalChanged(client: Client, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal(changedSignalName);
  } catch (error) {
    // No workflow waits for this decision.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
