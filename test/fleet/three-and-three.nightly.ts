import { setTimeout as pause } from 'node:timers/promises';
import { withoutWorkflow } from '../../activities/maintenance/open-workflows';
import { query, queryOne } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import { claimAnyPort } from '../../stack/parts/ports';
import { prepareNamespace } from '../../workers/temporal/namespace';
import { workflowIds } from '../../runtime/temporal/messages';
import { openTestDeps, testEnvironment, type TestDeps } from '../support/app';
import { buildApiKey, buildMember, signIn } from '../support/build/accounts';
import { buildCommission } from '../support/build/commissions';
import { buildParticipant, buildProgram, buildPromoCode } from '../support/build/programs';
import { buildEndpoint } from '../support/build/webhooks';
import { startSink, type Sink } from '../support/sink';
import { buildService, startService, type ServiceProcess } from '../support/stack/service-process';

/** Three API processes and three workers on one database, through the pooler of the run. */
const size = 3;
const namespace = `fleet-${process.pid}`;
const kills = Number(process.env['FLEET_KILLS'] ?? 4);
const sales = Number(process.env['FLEET_SALES'] ?? 400);

jest.setTimeout(300_000);

interface Member {
  url: string;
  script: 'api/main.js' | 'workers/main.js';
  environment: Record<string, string>;
  process: ServiceProcess;
}

let deps: TestDeps;
let sink: Sink;
let scope: Scope;
let fleet: { apis: Member[]; workers: Member[] } = { apis: [], workers: [] };
let shopKey: string;
let token: string;
let promoCode: string;
let participant: Awaited<ReturnType<typeof buildParticipant>>;

beforeAll(async () => {
  buildService();
  deps = await openTestDeps();
  await prepareNamespace({ address: deps.config.temporal.address, namespace });
  const db = deps.db.manager;
  const member = await buildMember(db);
  scope = { workspaceId: member.workspaceId, mode: 'test' };
  token = (await signIn(deps, member)).accessToken;
  const program = await buildProgram(db, scope);
  participant = await buildParticipant(db, { program });
  promoCode = (await buildPromoCode(db, participant)).code;
  shopKey = (await buildApiKey(db, { ...scope, kind: 'secret' })).key;
  sink = await startSink();
  sink.answer((_request, response) => setTimeout(() => response.end(), 5));
  await buildEndpoint(deps, scope, { url: sink.url, events: ['conversion.created'] });
  const start = (script: Member['script']) => () => startMember(script);
  const [apis, workers] = await Promise.all([
    Promise.all(Array.from({ length: size }, start('api/main.js'))),
    Promise.all(Array.from({ length: size }, start('workers/main.js'))),
  ]);
  fleet = { apis, workers };
});

afterAll(async () => {
  await Promise.all([...fleet.apis, ...fleet.workers].map((one) => one.process.stop()));
  await sink.close();
  await deps.close();
});

async function startMember(script: Member['script']): Promise<Member> {
  const [port, adminPort] = [await claimAnyPort(), await claimAnyPort()];
  const environment = {
    ...testEnvironment(deps.config.databaseUrl),
    REDIS_PREFIX: deps.config.redisPrefix,
    TEMPORAL_NAMESPACE: namespace,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DATABASE_POOL_SIZE: '5',
    WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,4s,8s',
    LOG_LEVEL: 'warn',
  };
  const process = await startService(script, environment);
  return { url: `http://127.0.0.1:${port}`, script, environment, process };
}

async function killAndStart(one: Member): Promise<void> {
  await one.process.kill();
  one.process = await startService(one.script, one.environment);
}

/** The status, or undefined where the connection broke. */
async function call(
  api: Member | undefined,
  request: { path: string; method?: string; bearer: string; body: unknown },
): Promise<number | undefined> {
  const answer = await fetch(`${api?.url}${request.path}`, {
    method: request.method ?? 'POST',
    headers: {
      Authorization: `Bearer ${request.bearer}`,
      'Content-Type': 'application/json',
      'X-Mode': 'test',
    },
    body: JSON.stringify(request.body),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status;
}

function report(api: Member | undefined, transaction: string): Promise<number | undefined> {
  return call(api, {
    path: '/api/v1/conversions',
    bearer: shopKey,
    body: {
      external_transaction_id: transaction,
      event_type: 'purchase',
      amount_cents: 5_000,
      currency: 'usd',
      promo_code: promoCode,
    },
  });
}

/** The first answer that is not about the machine. */
async function answerOf(
  api: Member | undefined,
  transaction: string,
): Promise<{ status: number | undefined; attempts: number }> {
  for (let attempts = 1; ; attempts += 1) {
    const status = await report(api, transaction);
    if ((status !== undefined && status !== 503) || attempts === 20) return { status, attempts };
    await pause(100);
  }
}

/** What there is of each of these transactions, as [conversions, commissions, accruals]. */
function effectsOf(prefix: string): Promise<{ effects: number[]; transactions: number }[]> {
  return query(
    deps.db.manager,
    `SELECT ARRAY[conversions, commissions, accruals] AS effects, count(*)::int AS transactions
       FROM (SELECT v.external_transaction_id, count(DISTINCT v.id)::int AS conversions,
                    count(DISTINCT c.id)::int AS commissions,
                    count(DISTINCT l.id)::int AS accruals
               FROM conversions v LEFT JOIN commissions c ON c.conversion_id = v.id
               LEFT JOIN ledger_entries l ON l.commission_id = c.id AND l.type = 'accrual'
              WHERE v.workspace_id = $1 AND v.external_transaction_id LIKE $2
              GROUP BY 1) AS seen
      GROUP BY 1`,
    [scope.workspaceId, `${prefix}%`],
  );
}

it('takes a sale once that comes to every API at the same moment', async () => {
  const transactions = Array.from({ length: 60 }, (_, index) => `race-${index}`);
  for (const transaction of transactions) {
    const answers = await Promise.all(fleet.apis.map((api) => answerOf(api, transaction)));
    const created = answers.filter(({ status }) => status === 201).length;
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    // The one may be hidden only by an answer that a busy machine did not give in time.
    if (answers.every(({ attempts }) => attempts === 1)) expect(created).toBe(1);
    else expect(created).toBeLessThanOrEqual(1);
  }
  expect(await effectsOf('race-')).toEqual([{ effects: [1, 1, 1], transactions: 60 }]);
});

it('decides a commission once, whichever API is asked', async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    const { id, programId } = await buildCommission(deps.db.manager, { participant });
    const decide = (api: Member) =>
      call(api, {
        path: `/api/v1/programs/${programId}/commissions/${id}/approve-override`,
        method: 'PATCH',
        bearer: token,
        body: { reason: 'because' },
      });
    await Promise.all(fleet.apis.map(decide));
    const row = await queryOne<{ status: string; decisions: number }>(
      deps.db.manager,
      `SELECT c.status, (SELECT count(*)::int FROM commission_history h
          WHERE h.commission_id = c.id AND h.to_status = 'approved') AS decisions
         FROM commissions c WHERE c.id = $1`,
      [id],
    );
    expect(row).toEqual({ status: 'approved', decisions: 1 });
  }
});

it('loses nothing and doubles nothing while its processes are killed', async () => {
  let done = 0;
  const lane = async (): Promise<void> => {
    for (let number = done++; number < sales; number = done++) {
      for (let attempt = number; ; attempt += 1) {
        const status = await report(fleet.apis[attempt % size], `sale-${number}`);
        // A repeat after an answer that a kill swallowed finds that the first one stands.
        if (status === 201 || status === 409) break;
        expect([undefined, 503]).toContain(status);
        await pause(50);
      }
    }
  };
  const killing = async (): Promise<void> => {
    for (let kill = 1; kill <= kills; kill += 1) {
      while (done < (sales * kill) / (kills + 1)) await pause(20);
      const members = kill % 2 === 0 ? fleet.apis : fleet.workers;
      await killAndStart(members[kill % size] as Member);
    }
  };
  await Promise.all([killing(), ...Array.from({ length: 4 }, lane)]);

  expect(await effectsOf('sale-')).toEqual([{ effects: [1, 1, 1], transactions: sales }]);
  await everyEventArrives();
  // An answer that a kill left open is not counted for long, and never beside eight others.
  expect(sink.maxOpen).toBeLessThanOrEqual(16);
  await everyPendingCommissionHasItsWorkflow();
});

async function everyEventArrives(): Promise<void> {
  const events = await query<{ id: string }>(
    deps.db.manager,
    `SELECT id FROM events WHERE workspace_id = $1 AND type = 'conversion.created'`,
    [scope.workspaceId],
  );
  const missing = (): string[] => {
    const seen = new Set(sink.received.map(({ headers }) => headers['webhook-id']));
    return events.filter(({ id }) => !seen.has(`evt_${id}`)).map(({ id }) => id);
  };
  for (let turn = 0; turn < 600 && missing().length > 0; turn += 1) await pause(100);
  expect(events.length).toBeGreaterThanOrEqual(sales);
  expect(missing()).toEqual([]);
}

async function everyPendingCommissionHasItsWorkflow(): Promise<void> {
  const pending = await query<{ id: string }>(
    deps.db.manager,
    `SELECT id FROM commissions WHERE workspace_id = $1 AND status = 'pending'
        AND external_transaction_id LIKE 'sale-%'`,
    [scope.workspaceId],
  );
  const names = pending.map(({ id }) => workflowIds.commission(id));
  const fleetDeps = await openTestDeps({ TEMPORAL_NAMESPACE: namespace });
  try {
    let lost = names;
    for (let turn = 0; turn < 300 && lost.length > 0; turn += 1) {
      lost = await withoutWorkflow(fleetDeps, { rows: names, workflowIdOf: (id) => id });
      if (lost.length > 0) await pause(200);
    }
    expect(lost).toEqual([]);
  } finally {
    await fleetDeps.close();
  }
}
