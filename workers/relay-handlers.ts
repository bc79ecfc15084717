import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type SearchAttributePair,
} from '@temporalio/common';
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import type { Deps } from '../activities/runtime/process/deps';
import { fanOutEvents } from '../activities/webhooks/fan-out';
import type { Mode } from '../entities/rules/values/mode';
import { query, transaction } from '../entities/database/sql';
import {
  changedSignalName,
  rangeSignalName,
  taskQueues,
  workflowIds,
  type CommissionLifecycleInput,
  type TaskQueue,
} from '../workflows/messages';
import type { RelayHandlers, TopicHandler, Work } from './relay';
import { createStartRate } from './start-rate';

/** What each topic of the outbox leads to. */
export function relayHandlers(deps: Deps): RelayHandlers {
  return {
    event: eventHandler(deps),
    events: eventHandler(deps),
    commission: commissionHandler(deps),
    mail: startHandler(deps, 'deliverMail', 'mail', (work) => ({
      workflowId: workflowIds.mail(work.ref),
      args: [{ mailId: work.ref }],
    })),
    stripe_event: signalHandler(deps, 'processStripeEvent', 'stripe', stripeEventTarget),
    webhook_retries: signalHandler(deps, 'webhookRetries', 'webhooks', (work) => ({
      workflowId: workflowIds.webhookRetries(work.ref),
      args: [{ endpointId: work.ref }],
    })),
    webhook_requeue: signalHandler(deps, 'requeueDeadLetters', 'bulk', (work) => ({
      workflowId: workflowIds.webhookRequeue(work.ref),
      args: [{ endpointId: work.ref }],
      signal: rangeSignalName,
      signalArgs: [work.payload],
    })),
  };
}

const eventsAtOnce = 1_000;

/** Events fan out to deliveries in transactions; a repeat meets their unique keys. */
function eventHandler(deps: Deps): TopicHandler {
  return {
    async handle(work) {
      const now = deps.clock.now();
      const firstDelayMs = deps.config.webhooks.retrySchedule[0] ?? 0;
      const eventIds = work.flatMap(eventsOf);
      for (let start = 0; start < eventIds.length; start += eventsAtOnce) {
        const some = eventIds.slice(start, start + eventsAtOnce);
        await transaction(deps.db, (tx) => fanOutEvents(tx, some, { now, firstDelayMs }));
      }
      return work.map(({ id }) => id);
    },
  };
}

/** The events of one commit travel together. */
function eventsOf({ ref, payload }: Work): string[] {
  const { others = [] } = payload as { others?: string[] };
  return [ref, ...others];
}

interface CommissionRow {
  id: string;
  workspaceId: string;
  programId: string;
  mode: Mode;
  status: string;
  holdUntil: Date | null;
  needsReview: boolean;
}

/** A new commission gets its workflow, bounded a second; a changed one gets a signal. */
function commissionHandler(deps: Deps): TopicHandler {
  const rate = createStartRate(deps.config.relayStartsPerSecond);
  return {
    batch: () => rate.available(),
    async handle(work) {
      const rows = await findCommissions(deps, work);
      return inParallel(deps, work, async (client, { ref }) => {
        const row = rows.get(ref);
        if (row?.status !== 'pending') return signalChanged(client, workflowIds.commission(ref));
        rate.take(1);
        await startOrSignal(client, 'commissionLifecycle', lifecycleStart(row));
      });
    },
  };
}

async function findCommissions(deps: Deps, work: Work[]): Promise<Map<string, CommissionRow>> {
  const rows = await query<CommissionRow>(
    deps.db.manager,
    `SELECT id, workspace_id AS "workspaceId", program_id AS "programId", mode, status,
       hold_until AS "holdUntil", needs_review AS "needsReview"
     FROM commissions WHERE id = ANY($1)`,
    [work.map(({ ref }) => ref)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const keys = {
  workspaceId: defineSearchAttributeKey('WorkspaceId', 'KEYWORD'),
  programId: defineSearchAttributeKey('ProgramId', 'KEYWORD'),
  mode: defineSearchAttributeKey('Mode', 'KEYWORD'),
  stage: defineSearchAttributeKey('Stage', 'KEYWORD'),
};

function lifecycleStart(row: CommissionRow): StartOptions {
  const stage = row.needsReview ? 'review' : 'hold';
  const input: CommissionLifecycleInput = {
    commissionId: row.id,
    holdUntil: row.holdUntil?.toISOString() ?? null,
    needsReview: row.needsReview,
  };
  const pairs: SearchAttributePair[] = [
    { key: keys.workspaceId, value: row.workspaceId },
    { key: keys.programId, value: row.programId },
    { key: keys.mode, value: row.mode },
    { key: keys.stage, value: stage },
  ];
  return {
    workflowId: workflowIds.commission(row.id),
    taskQueue: taskQueues.commissions,
    args: [input],
    typedSearchAttributes: new TypedSearchAttributes(pairs),
    staticSummary: `Commission ${row.id}, ${row.mode} mode`,
    staticDetails: row.needsReview
      ? 'Waits for a manual review.'
      : `Held until ${row.holdUntil?.toISOString() ?? 'now'}.`,
  };
}

type StartOptions = WorkflowStartOptions & { args: unknown[] };
interface Target {
  workflowId: string;
  args: unknown[];
  staticSummary?: string;
  typedSearchAttributes?: TypedSearchAttributes;
}

function stripeEventTarget({ ref, payload }: Work): Target {
  const { workspaceId, mode, type } = payload;
  const pairs: SearchAttributePair[] = [
    { key: keys.workspaceId, value: String(workspaceId) },
    { key: keys.mode, value: String(mode) },
  ];
  return {
    workflowId: workflowIds.stripeEvent(ref),
    args: [{ eventId: ref }],
    staticSummary: `${String(type)}, ${String(mode)} mode`,
    typedSearchAttributes: new TypedSearchAttributes(pairs),
  };
}

/** Starts once; a workflow of that id that runs already is success. */
function startHandler(
  deps: Deps,
  type: string,
  queue: TaskQueue,
  target: (work: Work) => Target,
): TopicHandler {
  return {
    handle: (work) =>
      inParallel(deps, work, async (client, item) => {
        try {
          await client.workflow.start(type, { taskQueue: taskQueues[queue], ...target(item) });
        } catch (error) {
          if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        }
      }),
  };
}

/** Starts, or tells the one that runs to look at its rows again. */
function signalHandler(
  deps: Deps,
  type: string,
  queue: TaskQueue,
  target: (work: Work) => Target & { signal?: string; signalArgs?: unknown[] },
): TopicHandler {
  return {
    handle: (work) =>
      inParallel(deps, work, async (client, item) => {
        await client.workflow.signalWithStart(type, {
          taskQueue: taskQueues[queue],
          signal: changedSignalName,
          signalArgs: [],
          ...target(item),
        });
      }),
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
    // Nobody waits: the decision needs no telling.
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

const callDeadlineMs = 10_000;
const parallelCalls = 32;

/** Calls Temporal for each row, some at a time; gives the ids of those that succeeded. */
async function inParallel(
  deps: Deps,
  work: Work[],
  call: (client: Client, work: Work) => Promise<void>,
): Promise<number[]> {
  const done: number[] = [];
  const queue = [...work];
  let failure: unknown;
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item && failure === undefined; item = queue.shift()) {
      const current = item;
      try {
        await deps.temporal.within(callDeadlineMs, (client) => call(client, current));
        done.push(current.id);
      } catch (error) {
        failure = error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelCalls, work.length) }, lane));
  if (failure !== undefined) deps.log.warn({ err: failure }, 'Temporal did not take the work');
  return done;
}
