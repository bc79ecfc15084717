import { claimSome } from '../../support/workers/claiming';
import { repairWebhookDeliveries } from '../../../activities/webhooks/repair';
import { systemCause } from '../../../activities/journal/cause';
import { execute, query } from '../../../entities/database/sql';
import type { Scope } from '../../../entities/rules/values/mode';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { asOwner } from '../../support/database';
import { buildMember, signIn } from '../../support/build/accounts';
import {
  buildEndpoint,
  buildEvent,
  seeDeliveries,
  type BuiltEndpoint,
} from '../../support/build/webhooks';

const app = useApp({ WEBHOOK_BREAKER_FAILURES: '5' });

interface Setting {
  scope: Scope;
  caller: Caller;
  endpoint: BuiltEndpoint;
  path: string;
}

async function setting(): Promise<Setting> {
  const member = await buildMember(app.deps.db.manager, { role: 'admin' });
  const scope: Scope = { workspaceId: member.workspaceId, mode: 'test' };
  const endpoint = await buildEndpoint(app.deps, scope);
  return {
    scope,
    endpoint,
    caller: app.client.as((await signIn(app.deps, member)).accessToken, 'test'),
    path: `/api/v1/webhooks/${endpoint.id}/deliveries`,
  };
}

interface Page {
  data: Record<string, unknown>[];
  total: number;
}

async function delivery(at: Setting, status = 'dead_letter'): Promise<string> {
  await buildEvent(app.deps, at.scope);
  const id = (await seeDeliveries(app.deps, at.endpoint.id)).at(-1)?.id ?? '';
  await execute(
    app.deps.db.manager,
    `UPDATE webhook_deliveries
        SET status = $2, attempts = 8, http_status_code = 500, duration_ms = 12,
            error_message = 'The receiver answered 500.', response_body = 'no',
            last_attempt_at = now(), next_attempt_at = CASE WHEN $2 = 'retrying' THEN now() END
      WHERE id = $1`,
    [id, status],
  );
  return id;
}

async function forgetEvents({ scope }: Setting): Promise<void> {
  const { databaseUrl } = app.deps.config;
  await asOwner(databaseUrl, 'DELETE FROM events WHERE workspace_id = $1', [scope.workspaceId]);
}

const unknownId = '01920d3c-5f00-7000-8000-0000000000ff';

describe('the deliveries of an endpoint', () => {
  it('are listed newest first without payloads, by status, kind and time', async () => {
    const at = await setting();
    const ids = [
      await delivery(at),
      await delivery(at, 'retrying'),
      await delivery(at, 'cancelled'),
    ];
    const { body } = await at.caller.get<Page>(at.path);
    expect(body.total).toBe(3);
    expect(body.data.map(({ id }) => id)).toEqual([...ids].reverse());
    expect(body.data[2]).toEqual({
      id: ids[0],
      endpointId: at.endpoint.id,
      eventId: expect.stringMatching(/^evt_[0-9a-f-]{36}$/) as string,
      eventType: 'commission.created',
      status: 'dead_letter',
      attempts: 8,
      httpStatusCode: 500,
      errorMessage: 'The receiver answered 500.',
      durationMs: 12,
      createdAt: expect.any(String) as string,
      lastAttemptAt: expect.any(String) as string,
      nextAttemptAt: null,
    });
    const one = await at.caller.get<Page>(`${at.path}?status=retrying&limit=1`);
    expect(one.body.data.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await at.caller.get<Page>(`${at.path}?eventType=payout.created`)).body.total).toBe(0);
    expect((await at.caller.get<Page>(`${at.path}?dateTo=2020-01-01`)).body.total).toBe(0);
    expect((await at.caller.get<Page>(`${at.path}?dateFrom=2020-01-01`)).body.total).toBe(3);
  });

  it.each(['status=lost', 'eventType=x', 'dateFrom=2026-02-30', 'dateTo=now', 'limit=0'])(
    'refuse %s',
    async (query) => {
      const at = await setting();
      expect((await at.caller.get(`${at.path}?${query}`)).status).toBe(400);
    },
  );

  it('show payload, answer and attempts one by one', async () => {
    const at = await setting();
    const id = await delivery(at);
    await execute(
      app.deps.db.manager,
      `INSERT INTO webhook_attempts (delivery_id, attempt, at, http_status_code, error_message, duration_ms)
       VALUES ($1, 2, now(), NULL, 'No answer within 15 s.', 15000), ($1, 1, now(), 500, 'x', 3)`,
      [id],
    );
    const { body } = await at.caller.get(`${at.path}/${id}`);
    expect(body).toMatchObject({
      id,
      payload: { type: 'commission.created', api_version: 'v1', data: { object: {} } },
      responseBody: 'no',
      attemptLog: [
        { attempt: 1, httpStatusCode: 500 },
        { attempt: 2, httpStatusCode: null, durationMs: 15_000 },
      ],
    });
    expect((body['payload'] as { id: string }).id).toBe(body['eventId']);
  });

  it('show what remains when the event is no longer kept', async () => {
    const at = await setting();
    const id = await delivery(at);
    await forgetEvents(at);
    const { status, body } = await at.caller.get(`${at.path}/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, payload: null, responseBody: 'no', attemptLog: [] });
    expect(body['eventId']).toMatch(/^evt_/);
  });

  it('tell the next probe as the next attempt while the breaker is open', async () => {
    const at = await setting();
    const id = await delivery(at, 'retrying');
    await execute(
      app.deps.db.manager,
      `UPDATE webhook_endpoints SET failures_in_row = 5, next_probe_at = '2999-01-01T00:00:00Z'
        WHERE id = $1`,
      [at.endpoint.id],
    );
    const { body } = await at.caller.get(`${at.path}/${id}`);
    expect(body['nextAttemptAt']).toBe('2999-01-01T00:00:00.000Z');
  });

  it("are not found below another endpoint of one's own", async () => {
    const at = await setting();
    const id = await delivery(at);
    const other = await buildEndpoint(app.deps, at.scope);
    const path = `/api/v1/webhooks/${other.id}/deliveries/${id}`;
    for (const answer of [
      await at.caller.get(path),
      await at.caller.post(`${path}/retry`),
      await at.caller.post(`${path}/replay`),
      await at.caller.get(`${at.path}/${unknownId}`),
      await at.caller.get(`${at.path}/nonsense`),
    ]) {
      expect([answer.status, answer.body['code']]).toEqual([404, 'WEBHOOK_DELIVERY_NOT_FOUND']);
    }
  });
});

describe('a retry', () => {
  it('queues a dead letter again, once of several at the same time', async () => {
    const at = await setting();
    const id = await delivery(at);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => at.caller.post(`${at.path}/${id}/retry`)),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 202)) {
      expect([status, body['code']]).toEqual([409, 'WEBHOOK_DELIVERY_NOT_DEAD_LETTER']);
    }
    const accepted = answers.find(({ status }) => status === 202);
    expect(accepted?.body).toMatchObject({ id, status: 'pending', attempts: 8 });
  });

  it.each(['pending', 'retrying', 'succeeded', 'cancelled'])('refuses a %s one', async (status) => {
    const at = await setting();
    const answer = await at.caller.post(`${at.path}/${await delivery(at, status)}/retry`);
    expect([answer.status, answer.body['code']]).toEqual([409, 'WEBHOOK_DELIVERY_NOT_DEAD_LETTER']);
  });

  it('is refused where the endpoint is deactivated, single, in bulk and as a replay', async () => {
    const at = await setting();
    const id = await delivery(at);
    await at.caller.patch(`/api/v1/webhooks/${at.endpoint.id}`, { active: false });
    for (const path of [`${id}/retry`, 'retry-dead-letters', `${id}/replay`]) {
      const answer = await at.caller.post(`${at.path}/${path}`);
      expect([path, answer.status, answer.body['code']]).toEqual([
        path,
        409,
        'WEBHOOK_DEACTIVATED',
      ]);
    }
  });

  it('in bulk tells how many are queued, also none, from an instant on', async () => {
    const at = await setting();
    for (let count = 0; count < 3; count += 1) await delivery(at);
    await delivery(at, 'cancelled');
    const path = `${at.path}/retry-dead-letters`;
    const later = await at.caller.post(path, { since: '2999-01-01T00:00:00Z' });
    expect([later.status, later.body]).toEqual([202, { queued: 0 }]);
    expect((await at.caller.post(path, { since: 'yesterday' })).status).toBe(400);
    expect((await at.caller.post(path)).body).toEqual({ queued: 3 });
    expect((await at.caller.post(path, {})).body).toEqual({ queued: 0 });
  });
});

describe('a replay (webhooks.md, Retry and replay)', () => {
  it.each(['succeeded', 'dead_letter', 'cancelled', 'retrying'])(
    'sends the event of a %s delivery as a new one',
    async (status) => {
      const at = await setting();
      const id = await delivery(at, status);
      const before = await at.caller.get(`${at.path}/${id}`);
      const replayed = await at.caller.post(`${at.path}/${id}/replay`);
      expect(replayed.status).toBe(202);
      expect(replayed.body).toMatchObject({
        eventId: before.body['eventId'],
        status: 'pending',
        attempts: 0,
        httpStatusCode: null,
        errorMessage: null,
      });
      expect(replayed.body['id']).not.toBe(id);
      expect((await at.caller.get(`${at.path}/${id}`)).body).toEqual(before.body);
    },
  );
});

describe('an open delivery whose event is no longer kept', () => {
  const repairAfter = (days: number) => {
    const at = new Date(app.deps.clock.now().getTime() + days * 86_400_000);
    return repairWebhookDeliveries(app.deps.db.manager, systemCause(at));
  };
  const seen = async (at: Setting) => {
    const all = await seeDeliveries(app.deps, at.endpoint.id);
    return all.map(({ status, errorMessage, nextAttemptAt }) => [
      status,
      errorMessage,
      nextAttemptAt,
    ]);
  };
  const ended = ['cancelled', 'The event is over 31 days old and no longer kept.', null];

  it('is cancelled by the repair, with the reason, and those behind it are claimed', async () => {
    const at = await setting();
    for (let index = 0; index < 9; index += 1) await buildEvent(app.deps, at.scope);
    await delivery(at, 'retrying');
    await forgetEvents(at);
    await buildEvent(app.deps, at.scope);
    const claim = async () => {
      const claims = await claimFirst(at);
      return claims.map(({ event }) => event.id);
    };
    expect(await claim()).toEqual([]);

    await repairAfter(30);
    expect((await seen(at)).filter(([status]) => status === 'cancelled')).toEqual([]);
    await repairAfter(32);
    const states = await seen(at);
    expect(states.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => ended));
    expect(states[10]?.[0]).toBe('pending');
    expect(await claim()).toHaveLength(1);
  });

  it('is left alone while the event is there', async () => {
    const at = await setting();
    await delivery(at, 'retrying');
    await repairAfter(32);
    expect((await seen(at))[0]?.[0]).toBe('retrying');
  });
});

it('retries that are lost are woken, and not again while that waits in the outbox', async () => {
  const at = await setting();
  await delivery(at, 'retrying');
  const { db, clock } = app.deps;
  const queued = async (): Promise<number> => {
    const rows = await query(
      db.manager,
      `SELECT 1 FROM outbox WHERE topic = 'webhook_retries' AND ref = $1`,
      [at.endpoint.id],
    );
    return rows.length;
  };
  const repairAfter = (hours: number) =>
    repairWebhookDeliveries(
      db.manager,
      systemCause(new Date(clock.now().getTime() + hours * 3_600_000)),
    );
  await execute(db.manager, 'DELETE FROM outbox');
  for (const hours of [1, 2, 3]) {
    await repairAfter(hours);
    expect(await queued()).toBe(1);
  }
  await execute(db.manager, 'DELETE FROM outbox');
  await repairAfter(4);
  expect(await queued()).toBe(1);
});

async function claimFirst({ endpoint }: Setting) {
  const { claims } = await claimSome(app.deps);
  return claims.filter(({ endpointId }) => endpointId === endpoint.id);
}
