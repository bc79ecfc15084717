import { setTimeout as sleep } from 'node:timers/promises';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Pool } from 'pg';
import type { StackInfo } from '../../stack/supervisor/info';
import { eventually } from '../support/eventually';
import { untilAnswered } from '../support/faults/until-answered';
import { isNightly } from '../support/run/nightly';
import { sellAtDemo, signInAtDemo } from '../support/stack/demo-shop';
import {
  newStackDir,
  removeStackDir,
  startLocalStack,
  type LocalStack,
} from '../support/stack/local-stack';

jest.setTimeout(240_000);

const lanes = 6;
const conversionsPerLane = isNightly ? 60 : 20;
const total = lanes * conversionsPerLane;
const kills: readonly ('api' | 'worker' | 'temporal')[] = isNightly
  ? ['worker', 'api', 'temporal', 'api', 'worker', 'temporal', 'api']
  : ['api', 'worker', 'api'];
/** A share of the load, not of the time: a fast machine has as many kills as a slow one. */
const turnsPerKill = Math.floor(total / (kills.length + 1));

/**
 * Commissions of the sales that this suite reports: those that the stack begins with, such as the
 * demo's, are left out.
 */
const REPORTED = `m.external_transaction_id LIKE 'fault-%'`;

const dir = newStackDir();
let stack: LocalStack;
let info: StackInfo;
let database: Pool;
let turnsDone = 0;
const killed: string[] = [];

beforeAll(async () => {
  stack = await startLocalStack(dir, {
    RATE_LIMIT_CONVERSIONS: '0',
    RATE_LIMIT_GENERAL: '0',
    RELAY_STARTS_PER_SECOND: '0',
  });
  info = stack.info();
  database = new Pool({ connectionString: info.databaseUrl });
}, 120_000);

afterAll(async () => {
  await database.end();
  await stack.stop();
  removeStackDir(dir);
});

async function commissionOf(transaction: string): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    'SELECT id FROM commissions WHERE external_transaction_id = $1',
    [transaction],
  );
  expect(rows).toHaveLength(1);
  return rows[0]?.id ?? '';
}

async function decide(token: string, commissionId: string, turn: number): Promise<void> {
  const path = `${info.apiUrl}/api/v1/programs/${info.demo?.programId}/commissions/${commissionId}`;
  const headers = {
    'Content-Type': 'application/json',
    'X-Mode': 'test',
    Authorization: `Bearer ${token}`,
  };
  const body = JSON.stringify({ reason: 'A test' });
  if (turn % 4 === 0) return;
  if (turn % 4 === 1) {
    await untilAnswered(`${path}/elapse-hold`, { method: 'POST', headers }, [200, 409]);
  } else {
    const verb = turn % 4 === 2 ? 'approve-override' : 'reject';
    await untilAnswered(`${path}/${verb}`, { method: 'PATCH', headers, body }, [200, 409]);
  }
}

/** What the partner reaches under way: a bonus by a third of the sales, a group by two thirds. */
async function offerBonusAndStep(token: string): Promise<void> {
  const path = `${info.apiUrl}/api/v1/programs/${info.demo?.programId}`;
  const headers = {
    'Content-Type': 'application/json',
    'X-Mode': 'test',
    Authorization: `Bearer ${token}`,
  };
  const send = <B>(method: string, rest: string, body: object) =>
    untilAnswered<B>(
      `${path}/${rest}`,
      { method, headers, body: JSON.stringify(body) },
      [200, 201],
    );
  const gold = await send<{ id: string }>('POST', 'groups', { name: 'Gold' });
  const steps = [{ atLeast: (2 * total) / 3, groupId: gold.body.id }];
  await send('PUT', 'tiers', { metric: 'conversions', steps });
  const bonus = { name: 'A third', metric: 'conversions', atLeast: total / 3, amountCents: 5_000 };
  await send('PUT', 'bonuses', { bonuses: [bonus] });
}

/** Kills whatever process serves under the name at that moment. */
function kill(name: (typeof kills)[number]): void {
  const pid = stack.info().processes[name];
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
    killed.push(name);
  } catch {
    // It is being started again just now.
  }
}

/** The load goes on without waiting for the successor of what was killed. */
function countTurn(): void {
  turnsDone += 1;
  const next = kills[turnsDone / turnsPerKill - 1];
  if (next !== undefined) kill(next);
}

async function runLane(lane: number, token: string): Promise<void> {
  for (let turn = 0; turn < conversionsPerLane; turn += 1) {
    const transaction = `fault-${lane}-${turn}`;
    await sellAtDemo(info, transaction);
    await decide(token, await commissionOf(transaction), turn);
    countTurn();
  }
}

async function openLifecycles(): Promise<string[]> {
  const connection = await Connection.connect({ address: info.temporalAddress });
  try {
    const client = new TemporalClient({ connection });
    const ids: string[] = [];
    const query = "WorkflowType = 'commissionLifecycle' AND ExecutionStatus = 'Running'";
    for await (const { workflowId } of client.workflow.list({ query })) {
      ids.push(workflowId.replace('commission/', ''));
    }
    return ids.sort();
  } finally {
    await connection.close();
  }
}

async function pendingCommissions(): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `SELECT id FROM commissions WHERE status = 'pending'`,
  );
  return rows.map(({ id }) => id).sort();
}

describe('with API and worker killed under load, by night Temporal too', () => {
  it('loses and doubles nothing', async () => {
    const { accessToken: token } = await signInAtDemo(info);
    await offerBonusAndStep(token);
    await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane, token)));
    expect(new Set(killed)).toEqual(new Set(kills));
    expect(killed.filter((name) => name === 'api').length).toBeGreaterThanOrEqual(
      isNightly ? 3 : 2,
    );

    const { rows } = await database.query(`
      SELECT count(*)::int AS conversions,
        count(DISTINCT c.external_transaction_id)::int AS transactions,
        (SELECT count(*)::int FROM commissions m WHERE ${REPORTED}) AS commissions,
        (SELECT count(*)::int FROM events e JOIN commissions m ON m.id = e.object_id
          WHERE e.type = 'commission.created' AND ${REPORTED}) AS created_events,
        (SELECT count(*)::int FROM events e JOIN conversions m ON m.id = e.object_id
          WHERE e.type = 'conversion.created' AND ${REPORTED}) AS conversion_events
      FROM conversions c WHERE external_transaction_id LIKE 'fault-%'`);
    expect(rows[0]).toEqual({
      conversions: total,
      transactions: total,
      commissions: total,
      created_events: total,
      conversion_events: total,
    });
  });

  it('decides each commission exactly once, and its ledger agrees', async () => {
    const { rows } = await database.query<{ status: string; count: number }>(
      `SELECT status, count(*)::int AS count FROM commissions m WHERE ${REPORTED}
        GROUP BY 1 ORDER BY 1`,
    );
    const quarter = total / 4;
    expect(rows).toEqual([
      { status: 'approved', count: 2 * quarter },
      { status: 'pending', count: quarter },
      { status: 'rejected', count: quarter },
    ]);

    const odd = await database.query(`
      SELECT m.id FROM commissions m
      WHERE ${REPORTED} AND ((SELECT count(*) FROM commission_history h
             WHERE h.commission_id = m.id AND h.from_status IS DISTINCT FROM h.to_status)
            <> CASE m.status WHEN 'pending' THEN 1 ELSE 2 END
         OR (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries l WHERE l.commission_id = m.id)
            <> CASE m.status WHEN 'rejected' THEN 0 ELSE m.amount_cents END)`);
    expect(odd.rows).toEqual([]);
  });

  it('pays what was reached under way once, and moves once', async () => {
    const reached = await eventually(async () => {
      const { rows } = await database.query(`
        SELECT (SELECT count(*)::int FROM commissions WHERE commission_type = 'bonus') AS bonuses,
               (SELECT sum(l.amount_cents)::int FROM ledger_entries AS l
                  JOIN commissions AS c ON c.id = l.commission_id
                 WHERE c.commission_type = 'bonus') AS cents,
               (SELECT count(*)::int FROM events WHERE type = 'participant.moved') AS moves,
               (SELECT count(*)::int FROM outbox WHERE topic IN ('event_notices', 'standing'))
                 AS waiting`);
      return rows[0].waiting === 0 ? rows[0] : undefined;
    }, 90_000);
    expect(reached).toEqual({ bonuses: 1, cents: 5_000, moves: 1, waiting: 0 });
  });

  it('leaves one open workflow for each pending commission and none for the others', async () => {
    const deadline = Date.now() + 90_000;
    let [open, pending] = [await openLifecycles(), await pendingCommissions()];
    while (JSON.stringify(open) !== JSON.stringify(pending) && Date.now() < deadline) {
      await sleep(1_000);
      [open, pending] = [await openLifecycles().catch(() => []), await pendingCommissions()];
    }
    expect(open).toEqual(pending);
  });
});
