import type { WorkflowHandle } from '@temporalio/client';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { query } from '../../entities/database/sql';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { startTestParts, type TestParts } from '../../stack/test-parts';
import { schedules } from '../../workers/temporal/schedules';
import * as workflows from '../../workflows';
import { workflowIds } from '../../runtime/temporal/messages';
import { openTestDeps, type TestDeps } from '../support/app';
import { createTemplate, dropTemplate } from '../support/database';
import { until } from '../support/eventually';
import { factsOf, waitingIn, type Facts } from '../support/operate/invariant/facts';
import { startOutside, type Outside } from '../support/operate/invariant/outside';
import { startOwnTemporal, type OwnTemporal } from '../support/operate/invariant/own-temporal';
import { startMovedService, type MovedService } from '../support/operate/invariant/service';
import { openTypes, putUnderWay, untilCarried } from '../support/operate/invariant/under-way';

jest.setTimeout(300_000);

const types = Object.keys(workflows).toSorted();

let parts: TestParts;
let dir: string;
beforeAll(async () => {
  parts = await startTestParts('postgres,redis');
  Object.assign(process.env, parts.environment);
  await createTemplate();
  dir = mkdtempSync(path.join(os.tmpdir(), 'affiliate-invariant-'));
  chmodSync(dir, 0o711);
});
afterAll(async () => {
  await dropTemplate();
  await parts.stop();
  rmSync(dir, { recursive: true, force: true });
});

interface Story {
  deps: TestDeps;
  service: MovedService;
  outside: Outside;
  temporal: OwnTemporal;
}

interface End {
  facts: Facts;
  left: Facts;
  webhooks: string[];
  mails: string[];
  reviewed: string;
  recurring: string[];
}

/** Has all under way, loses it, mends what is around the service, and lets fifteen minutes pass. */
async function tell(lose: (story: Story) => Promise<void>): Promise<End> {
  const temporal = await startOwnTemporal(dir);
  const outside = await startOutside();
  const deps = await openTestDeps({
    TEMPORAL_ADDRESS: temporal.address,
    SMTP_URL: outside.smtpUrl,
    STRIPE_API_BASE: outside.stripe.url,
    WEBHOOK_TIMEOUT_MS: '3000',
    WEBHOOK_BREAKER_FAILURES: '1000',
    WEBHOOK_RETRY_SCHEDULE: ['0s', ...Array.from({ length: 90 }, () => '3s')].join(','),
  });
  const service = startMovedService(deps);
  try {
    const { reviewedId } = await putUnderWay(deps, service, outside);
    await untilCarried(deps);
    expect(await openTypes(deps, types.length)).toEqual(types);

    await lose({ deps, service, outside, temporal });
    await outside.heal();
    await service.serve('all');
    await service.passFifteenMinutes();
    return await endOf({ deps, service, outside, temporal }, reviewedId);
  } finally {
    await service.stop();
    await deps.close();
    await outside.close();
    await temporal.stop();
  }
}

async function endOf({ deps, outside }: Story, reviewedId: string): Promise<End> {
  const db = deps.db.manager;
  const isOver = async (): Promise<boolean> => Object.keys(await waitingIn(db)).length === 0;
  await until(isOver, 45_000).catch(() => undefined);
  const { workflow, schedule } = deps.temporal.client;
  const note: OperatorNote = { operator: 'op-17', reasonCode: 'ORDER_CONFIRMED' };
  const run = workflow.getHandle(workflowIds.commission(reviewedId));
  const reviewed = await run.executeUpdate<{ status: string }, [OperatorNote]>('approve', {
    args: [note],
  });
  await until(isOver, 45_000).catch(() => undefined);
  const recurring: string[] = [];
  for (const { id } of schedules) {
    const { info } = await schedule.getHandle(id).describe();
    const last = info.recentActions.at(-1)?.action.workflow.workflowId ?? '';
    recurring.push(`${id} ${(await workflow.getHandle(last).describe()).status.name}`);
  }
  return {
    facts: await factsOf(db),
    left: await waitingIn(db),
    webhooks: outside.webhooks(),
    mails: await outside.mails(),
    reviewed: reviewed.status,
    recurring,
  };
}

const open = `ExecutionStatus = 'Running'`;

async function terminateAll({ deps }: Story): Promise<void> {
  const { workflow } = deps.temporal.client;
  for await (const { workflowId } of workflow.list({ query: open })) {
    await workflow.getHandle(workflowId).terminate('lost');
  }
  await until(async () => (await workflow.count(open)).count === 0, 60_000);
}

/** While all around is broken still: what the runs' rows say then is what has been stopped. */
async function cancelAll({ deps, service }: Story): Promise<void> {
  const { workflow } = deps.temporal.client;
  const runs: WorkflowHandle[] = [];
  for await (const { workflowId } of workflow.list({ query: open })) {
    runs.push(workflow.getHandle(workflowId));
  }
  for (const run of runs) await run.cancel();
  await service.serve('all');
  // An erasure looks for its confirmation each five minutes after a while.
  const stopped = runs.filter(({ workflowId }) => !workflowId.startsWith('erasure/'));
  for (const run of stopped) await until(async () => !isOpen(await run.describe()), 60_000);
  const paused = 'SELECT 1 FROM webhook_endpoints WHERE retries_paused_at IS NOT NULL';
  expect(await query(deps.db.manager, paused)).toHaveLength(1);
}

const isOpen = ({ status }: { status: { name: string } }): boolean => status.name === 'RUNNING';

function expectNothingTwice({ mails, webhooks }: End): void {
  expect(new Set(mails).size).toBe(mails.length);
  expect(new Set(webhooks).size).toBe(webhooks.length);
}

const whole = {
  left: {},
  reviewed: 'approved',
  recurring: schedules.map(({ id }) => `${id} COMPLETED`),
};

describe('with every type of workflow under way', () => {
  let undisturbed: End;
  beforeAll(async () => {
    undisturbed = await tell(() => Promise.resolve());
  });

  it('all comes to its end where nothing is lost', () => {
    expect(undisturbed).toMatchObject(whole);
    expectNothingTwice(undisturbed);
  });

  it.each<[string, (story: Story) => Promise<void>]>([
    ['all runs are terminated', terminateAll],
    ['the data of Temporal is deleted', ({ temporal }) => temporal.empty()],
  ])('%s: fifteen minutes later all is as without it, and nothing twice', async (_what, lose) => {
    const end = await tell(lose);
    expect(end).toMatchObject(whole);
    expect(end.facts).toEqual(undisturbed.facts);
    expectNothingTwice(end);
    expect(end.mails).toHaveLength(undisturbed.mails.length);
    expect(end.webhooks).toHaveLength(undisturbed.webhooks.length);
  });

  it('all runs are cancelled: what was stopped stays so, and erasures end', async () => {
    const { facts, reviewed, mails } = await tell(cancelAll);
    expect(reviewed).toBe('approved');
    expect(facts).toMatchObject({
      mails: { 'account.erased failed': 2, 'security.password_changed failed': 2 },
      stripeEvents: { 'invoice.paid failed': 1 },
      resets: { 'test_data failed': 1 },
      erasures: { cancelled: 1, completed: 2 },
      deliveries: { 'commission.created dead_letter': 3 },
    });
    expect(mails).toEqual([]);
  });
});
