import { setTimeout as pause } from 'node:timers/promises';
import { eventually, until } from '../support/eventually';
import { beginBatch, type BatchUnderWay } from '../support/operate/batch-under-way';
import { holdEveryType, type HeldRuns } from '../support/operate/every-type';
import { workflowTypes } from '../support/workers/workflow-types';
import { openUpgradeStage, type UpgradeStage } from '../support/operate/upgrade-stage';

/**
 * The last release and the coming one on one Postgres, Redis and Temporal, under twenty sales a second: forward, with schema,
 * worker and API, and back, with API and worker. The coming one is this checkout with migrations of its own
 * (support/operate/next-release.ts). A run of every type is begun by the worker that goes and ends on the one that comes.
 *
 * `UPGRADE_BREAKS=workflows npm run test:operate upgrade` shows that it can fail: no lifecycle of the last release replays,
 * and it goes red with Temporal's message. With `schema`, what the last release writes is refused by the migrated schema.
 */
jest.setTimeout(600_000);

/** Both releases serve for so long. */
const besideMs = 5_000;

let stage: UpgradeStage;
let isMigrated = false;
let isForward = false;
beforeAll(async () => {
  stage = await openUpgradeStage();
});
afterAll(() => stage.close());

/** One after the other: the next one is ready before a former one is told to stop. */
async function exchangeApis(checkout: string): Promise<void> {
  for (const [place, leaving] of stage.apis.entries()) {
    const coming = await stage.fleet.startApi(checkout);
    await stage.balancer.add(coming);
    await leaving.stop();
    stage.apis[place] = coming;
  }
}

/** Both work for a while, then the former one ends; when it was gone. */
async function exchangeWorkers(checkout: string): Promise<number> {
  const coming = await stage.fleet.startWorker(checkout);
  await pause(besideMs);
  await stage.worker.stop();
  stage.worker = coming;
  return Date.now();
}

async function expectAllToEnd(held: HeldRuns, goneAt: number): Promise<void> {
  // The last release begins no run of what only the coming one knows.
  expect(held.types).toEqual(workflowTypes(stage.former));
  expect(await held.problems(goneAt)).toEqual([]);
}

/** The default of a column that only the coming release names. */
const byFormer = 'the former release';

/** Who wrote the commission of each sale, in their order. */
async function writers(): Promise<(string | null)[]> {
  const { rows } = await stage.db.query<{ by: string | null }>(
    `SELECT c.written_by AS by FROM commissions AS c JOIN conversions AS v ON v.id = c.conversion_id
      WHERE v.external_transaction_id LIKE 'sale-%' ORDER BY c.created_at, c.id`,
  );
  return rows.map(({ by }) => by);
}

const unlikeCreated = () => [...stage.sales.outcomes].filter(([, outcome]) => outcome !== 201);

it('takes the schema forward beside those that serve, which mind nothing of it', async () => {
  const before = stage.sales.outcomes.size;
  await stage.fleet.deploy(stage.next);
  const during = stage.sales.outcomes.size - before;
  await pause(besideMs);
  expect(during).toBeGreaterThan(0);
  expect(unlikeCreated()).toEqual([]);
  const { rows } = await stage.db.query(
    `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'ix_commissions_written_by'::regclass`,
  );
  expect(rows).toEqual([{ valid: true }]);
  expect(new Set(await writers())).toEqual(new Set([byFormer]));
  isMigrated = true;
});

it('goes forward: worker, API', async () => {
  expect(isMigrated).toBe(true);
  const held = await holdEveryType(stage, 'forward');
  const goneAt = await exchangeWorkers(stage.next);
  await held.release();
  await Promise.all([exchangeApis(stage.next), expectAllToEnd(held, goneAt)]);
  isForward = true;
});

let batch: BatchUnderWay;
it('sends a payout by the coming release, to a provider that says nothing yet', async () => {
  expect(isForward).toBe(true);
  const { paypal } = stage;
  paypal.moods.send = Array.from({ length: 1_000 }, () => ({ silence: 'before' }));
  batch = await beginBatch(stage);
  await until(() => paypal.countOf('send') > 0, 60_000);
});

it('goes back: API, worker', async () => {
  expect(isForward).toBe(true);
  await exchangeApis(stage.former);
  const held = await holdEveryType(stage, 'back');
  const goneAt = await exchangeWorkers(stage.former);
  await held.release();
  await expectAllToEnd(held, goneAt);
  await stage.sales.stop();
});

it('leaves the payout on its way to the release that knows it, which says it once', async () => {
  const { paypal } = stage;
  const tries = paypal.countOf('send');
  await pause(besideMs);
  expect([paypal.countOf('send'), await batch.statuses()]).toEqual([tries, ['sending']]);

  paypal.moods.send = [];
  await exchangeWorkers(stage.next);
  await until(() => paypal.books.batches.size > 0, 60_000);
  paypal.books.payAll();
  await until(async () => (await batch.statuses()).join() === 'paid', 60_000);

  expect(paypal.countOf('send')).toBeGreaterThan(tries);
  expect(paypal.books.batches.size).toBe(1);
  expect(await batch.differences()).toEqual([]);
  await batch.close();
});

describe('of the sales that came in meanwhile', () => {
  it('none was refused, and no connection broke', () => {
    expect(unlikeCreated()).toEqual([]);
    expect(stage.sales.outcomes.size).toBeGreaterThan(100);
  });

  it('the coming release wrote some, before and after it the last one', async () => {
    const all = await writers();
    expect(all).toContain(null);
    expect([all.at(0), all.at(-1)]).toEqual([byFormer, byFormer]);
  });

  it('each is one conversion with one commission, booked once', async () => {
    const { rows } = await stage.db.query(
      `SELECT conversions, commissions, accruals, count(*)::int AS sales
         FROM (SELECT count(DISTINCT v.id)::int AS conversions,
                      count(DISTINCT c.id)::int AS commissions,
                      count(l.id)::int AS accruals
                 FROM conversions v LEFT JOIN commissions c ON c.conversion_id = v.id
                 LEFT JOIN ledger_entries l ON l.commission_id = c.id AND l.type = 'accrual'
                WHERE v.external_transaction_id LIKE 'sale-%'
                GROUP BY v.external_transaction_id) AS seen
        GROUP BY 1, 2, 3`,
    );
    const sales = stage.sales.outcomes.size;
    expect(rows).toEqual([{ conversions: 1, commissions: 1, accruals: 1, sales }]);
  });

  it('each has the run of its commission', async () => {
    const query = `WorkflowType = 'commissionLifecycle'`;
    const { rows } = await stage.db.query<{ count: number }>(
      // The count is of the shop that sells alone; what another workspace is paid was written by hand.
      `SELECT count(*)::int AS count FROM commissions WHERE hold_until IS NOT NULL AND workspace_id IN
         (SELECT workspace_id FROM conversions WHERE external_transaction_id LIKE 'sale-%')`,
    );
    await eventually(async () => {
      const { count } = await stage.temporal.workflow.count(query);
      return count >= (rows[0]?.count ?? 0) || undefined;
    });
  });

  it('each is told to its endpoint, as one delivery', async () => {
    const { salesEndpoint } = stage.merchant;
    const statement = `SELECT status, count(*)::int AS deliveries,
        count(DISTINCT event_id)::int AS events
        FROM webhook_deliveries WHERE endpoint_id = $1 GROUP BY status`;
    const { size } = stage.sales.outcomes;
    const succeeded = { status: 'succeeded', deliveries: size, events: size };
    await eventually(async () => {
      const { rows } = await stage.db.query(statement, [salesEndpoint]);
      return JSON.stringify(rows) === JSON.stringify([succeeded]) || undefined;
    });
    const told = stage.salesSink.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(told).size).toBe(size);
  });
});

it('sends whom it erased one mail, however often it was tried', async () => {
  for (const name of ['forward', 'back']) {
    const to = encodeURIComponent(`${name}@leaver.example`);
    const answer = await fetch(`${stage.mailApiUrl}/api/messages?to=${to}`);
    const subjects = ((await answer.json()) as { subject: string }[]).map(({ subject }) => subject);
    expect(new Set(subjects).size).toBe(subjects.length);
    expect(subjects.length).toBeGreaterThan(0);
  }
});
