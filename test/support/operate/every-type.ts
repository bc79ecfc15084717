import type { Client, WorkflowHandle } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { Client as Postgres } from 'pg';
import { taskQueues, workflowIds, type TaskQueue } from '../../../runtime/temporal/messages';
import { eventually } from '../eventually';
import type { Sink } from '../sink';
import type { TcpProxy } from '../faults/tcp-proxy';
import type { Merchant } from './merchant';
import { problemsOf } from './run-problems';

/** What a held run cannot do without, and no sale waits for. */
const locks = [
  'LOCK TABLE stripe_payments, payouts, webhook_requeues, scheduled_work, waitlist_signups, stream_tickets, ledger_checks IN EXCLUSIVE MODE',
  'LOCK TABLE analytics_totals IN ACCESS EXCLUSIVE MODE',
  // The lock of one step of many, which waits two seconds for it: each attempt ends while the worker that leaves still reports
  // it. One that is cut off is missed after three minutes, and release 0.1.0 waits longer for a table of strays.
  "SELECT pg_advisory_xact_lock(hashtext('ensure_partitions webhook_attempts'))",
];

/** Started as their schedules do, which may not be due for hours. */
const scheduled: Readonly<Record<string, unknown[]>> = {
  repair: [{ part: 'closings' }],
  partitions: [],
  retention: [{ tables: ['stream_tickets'] }],
  reconcileAnalytics: [],
  waitlistPurge: [],
  checkLedgers: [],
};

/** The time that is allowed beside others that use the machine. */
const patienceMs = 60_000;

/** Lifecycles that are signalled by a decision: each replays its history and ends. */
const decidedLifecycles = 20;

export interface HeldFrom {
  temporal: Client;
  /** The URL with the owner of the schema. */
  databaseUrl: string;
  merchant: Merchant;
  /** The id of the merchant's second endpoint. */
  sink: Sink;
  smtp: TcpProxy;
}

export interface HeldRuns {
  types: string[];
  /** What held them is gone. */
  release(): Promise<void>;
  /** The runs that did not end as they should after the worker that began them was gone, with why. */
  problems(goneAt: number): Promise<string[]>;
}

/** Has a run of every type under way, none of which can end before it is released. */
export async function holdEveryType(from: HeldFrom, name: string): Promise<HeldRuns> {
  const { merchant, sink, smtp } = from;
  const owner = new Postgres({ connectionString: from.databaseUrl });
  await owner.connect();
  // An error of a suite that ends in the middle, when its Postgres does.
  owner.on('error', () => undefined);
  smtp.cut();
  sink.answer((_request, response) => response.writeHead(500).end());
  const [first = '', ...decided] = await merchant.pendingCommissions(decidedLifecycles + 1);
  await merchant.approve(first);
  const { partnerId } = await merchant.eraseSomebody(name);
  const mailId = await idOf(
    owner,
    `SELECT mail_id AS id FROM erasures
      WHERE subject_id = '${partnerId}' AND status <> 'cancelled' AND mail_id IS NOT NULL`,
  );

  await owner.query('BEGIN');
  for (const lock of locks) await owner.query(lock);
  await merchant.receiveStripeEvent();
  const eventId = await idOf(owner, 'SELECT id FROM stripe_events ORDER BY id DESC LIMIT 1');
  const workspaceId = await merchant.resetAnother(name);
  const byRequest = {
    commissionLifecycle: decided.map(workflowIds.commission),
    webhookRetries: [workflowIds.webhookRetries(merchant.approvalsEndpoint)],
    eraseSubject: [workflowIds.erasure('account', partnerId)],
    deliverMail: [workflowIds.mail(mailId)],
    processStripeEvent: [workflowIds.stripeEvent(eventId)],
    resetTestData: [workflowIds.testReset(workspaceId)],
  };
  const byHand = await startByHand(from, name);
  const { workflow } = from.temporal;
  const ids = Object.values({ ...byRequest, ...byHand }).flat();
  const runs = ids.map((id) => workflow.getHandle(id));
  for (const run of runs) await untilUnderWay(run);
  return {
    types: Object.keys({ ...byRequest, ...byHand }).sort(),
    async release() {
      await owner.query('ROLLBACK');
      await owner.end();
      smtp.restore();
      sink.answer((_request, response) => response.end());
      for (const id of decided) await merchant.approve(id);
    },
    problems: (goneAt) => problemsOf(runs, goneAt),
  };
}

function idOf(owner: Postgres, statement: string): Promise<string> {
  return eventually(
    async () => (await owner.query<{ id: string }>(statement)).rows[0]?.id,
    patienceMs,
  );
}

/** What no request of a moment keeps busy for long enough. */
async function startByHand(
  { temporal: { workflow }, merchant }: HeldFrom,
  name: string,
): Promise<Record<string, string[]>> {
  const started: Record<string, string[]> = {};
  const start = async (type: string, queue: TaskQueue, args: unknown[]): Promise<void> => {
    const workflowId = `${name}-${type}`;
    await workflow.start(type, { workflowId, taskQueue: taskQueues[queue], args });
    started[type] = [workflowId];
  };
  const ranges = [{ since: null, until: new Date().toISOString() }];
  await start('requeueDeadLetters', 'bulk', [{ endpointId: merchant.salesEndpoint, ranges }]);
  for (const [type, args] of Object.entries(scheduled)) await start(type, 'maintenance', args);
  return started;
}

/** A worker has taken its first task. */
async function untilUnderWay(run: WorkflowHandle): Promise<void> {
  let seen = 'it was not started';
  const isUnderWay = async (): Promise<boolean> => {
    const { status, historyLength } = await run.describe();
    seen = `${status.name}, ${historyLength} events`;
    if (status.name !== 'RUNNING') throw new Error(`${run.workflowId} has ended too early`);
    // Started, scheduled, taken, done.
    return historyLength > 3;
  };
  const soon = async (): Promise<true | undefined> => (await isUnderWay()) || undefined;
  await eventually(() => soon().catch(ifNotStarted), patienceMs).catch(async (error: unknown) => {
    const queue = await backlogOf(run).catch(() => 'its queue is not known');
    throw new Error(`${run.workflowId} is not under way: ${seen}; ${queue}`, { cause: error });
  });
}

/** Whether it was not taken because the machine is full: its worker takes tasks in the order in which they came. */
async function backlogOf(run: WorkflowHandle): Promise<string> {
  const { taskQueue } = await run.describe();
  const { workflowService, options } = run.client;
  const { stats } = await workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: 1,
    reportStats: true,
  });
  const [count, seconds] = [stats?.approximateBacklogCount, stats?.approximateBacklogAge?.seconds];
  return `in ${taskQueue} ${String(count)} tasks wait, the first for ${String(seconds)} s`;
}

function ifNotStarted(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
