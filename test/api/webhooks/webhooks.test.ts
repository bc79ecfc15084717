import { createOutboundHttp } from '../../../runtime/outbound/http';
import { query } from '../../../entities/database/sql';
import { startSink, type Sink } from '../../support/sink';
import { startTestApp, type TestApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, signIn } from '../../support/build/accounts';

let app: TestApp;
let sink: Sink;

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_PING_TIMEOUT_MS: '400' });
  sink = await startSink();
});

afterAll(async () => {
  await sink.close();
  await app.close();
});

interface Merchant {
  workspaceId: string;
  test: Caller;
  live: Caller;
}

async function merchant(
  role: 'viewer' | 'member' | 'admin' | 'owner' = 'admin',
  workspaceId?: string,
): Promise<Merchant> {
  const member = await buildMember(app.deps.db.manager, {
    role,
    ...(workspaceId === undefined ? {} : { workspaceId }),
  });
  const { accessToken } = await signIn(app.deps, member);
  return {
    workspaceId: member.workspaceId,
    test: app.client.as(accessToken, 'test'),
    live: app.client.as(accessToken, 'live'),
  };
}

const path = '/api/v1/webhooks';
const unknownId = '01920d3c-5f00-7000-8000-0000000000ff';

function bodyFor(url = sink.url): Record<string, unknown> {
  return { url, events: ['commission.created'] };
}

describe('an endpoint', () => {
  it('is created with a secret that is shown once, and read back without', async () => {
    const { test } = await merchant();
    const created = await test.post(path, { ...bodyFor(), description: 'Orders' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      url: sink.url,
      events: ['commission.created'],
      description: 'Orders',
      active: true,
      mode: 'test',
      disabledReason: null,
      signingSecret: expect.stringMatching(/^whsec_[0-9a-f]{64}$/) as string,
    });
    expect(created.headers.get('location')).toBe(`${path}/${String(created.body['id'])}`);
    expect(created.headers.get('cache-control')).toBe('no-store');

    const read = await test.get(`${path}/${String(created.body['id'])}`);
    expect(read.status).toBe(200);
    expect(read.body).not.toHaveProperty('signingSecret');
    const list = await test.get<{ data: object[]; total: number }>(path);
    expect(list.body.total).toBe(1);
    expect(list.body.data).toEqual([read.body]);
  });

  it('keeps its secret encrypted', async () => {
    const { test } = await merchant();
    const { body } = await test.post(path, bodyFor());
    const rows = await query(app.deps.db.manager, `SELECT * FROM webhook_endpoints WHERE id = $1`, [
      body['id'],
    ]);
    expect(JSON.stringify(rows)).not.toContain(String(body['signingSecret']).slice(6));
  });

  it('belongs to one mode and workspace', async () => {
    const owner = await merchant();
    const { body } = await owner.test.post(path, bodyFor());
    const stranger = await merchant();
    for (const caller of [owner.live, stranger.test]) {
      for (const answer of [
        await caller.get(`${path}/${String(body['id'])}`),
        await caller.patch(`${path}/${String(body['id'])}`, { active: false }),
        await caller.delete(`${path}/${String(body['id'])}`),
        await caller.post(`${path}/${String(body['id'])}/rotate-secret`),
        await caller.post(`${path}/${String(body['id'])}/test-ping`),
        await caller.get(`${path}/${String(body['id'])}/deliveries`),
        await caller.get(`${path}/${String(body['id'])}/deliveries/${unknownId}`),
        await caller.post(`${path}/${String(body['id'])}/deliveries/${unknownId}/retry`),
        await caller.post(`${path}/${String(body['id'])}/deliveries/${unknownId}/replay`),
        await caller.post(`${path}/${String(body['id'])}/deliveries/retry-dead-letters`),
      ]) {
        expect([answer.status, answer.body['code']]).toEqual([404, 'WEBHOOK_NOT_FOUND']);
      }
    }
    expect((await owner.test.get(`${path}/${String(body['id'])}`)).body['active']).toBe(true);
  });

  it('is updated field by field', async () => {
    const { test } = await merchant();
    const { body } = await test.post(path, bodyFor());
    const one = `${path}/${String(body['id'])}`;
    const changed = await test.patch(one, {
      url: `${sink.url}/other`,
      events: ['*'],
      description: 'x',
    });
    expect(changed.body).toMatchObject({ url: `${sink.url}/other`, events: ['*'], active: true });
    const off = await test.patch(one, { active: false });
    expect(off.body).toMatchObject({ active: false, disabledReason: null, events: ['*'] });
    expect((await test.patch(one, { description: null, active: true })).body).toMatchObject({
      active: true,
      description: null,
    });
  });

  it('is gone after its deletion', async () => {
    const { test } = await merchant();
    const { body } = await test.post(path, bodyFor());
    expect((await test.delete(`${path}/${String(body['id'])}`)).status).toBe(204);
    const again = await test.delete(`${path}/${String(body['id'])}`);
    expect(again.body['code']).toBe('WEBHOOK_NOT_FOUND');
    expect((await test.get<{ total: number }>(path)).body.total).toBe(0);
  });

  it('is written by admins and owners, and read by anyone', async () => {
    const admin = await merchant('admin');
    const { body } = await admin.test.post(path, bodyFor());
    for (const role of ['viewer', 'member'] as const) {
      const { test } = await merchant(role, admin.workspaceId);
      expect((await test.get(`${path}/${String(body['id'])}`)).status).toBe(200);
      for (const id of [String(body['id']), unknownId]) {
        for (const answer of [
          await test.post(path, bodyFor()),
          await test.patch(`${path}/${id}`, { active: false }),
          await test.delete(`${path}/${id}`),
          await test.post(`${path}/${id}/rotate-secret`),
          await test.post(`${path}/${id}/test-ping`),
          await test.post(`${path}/${id}/deliveries/${unknownId}/retry`),
          await test.post(`${path}/${id}/deliveries/retry-dead-letters`),
          await test.post(`${path}/${id}/deliveries/${unknownId}/replay`),
        ]) {
          expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
        }
      }
    }
  });
});

describe('the limit of ten endpoints', () => {
  it('holds under parallel creates, counts inactive ones, and is per mode', async () => {
    const { test, live } = await merchant();
    const answers = await Promise.all(Array.from({ length: 16 }, () => test.post(path, bodyFor())));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.map(({ body }) => body['code'])).toEqual(
      Array(6).fill('WEBHOOK_ENDPOINT_LIMIT_EXCEEDED'),
    );

    const made = answers.find(({ status }) => status === 201)?.body['id'];
    await test.patch(`${path}/${String(made)}`, { active: false });
    expect((await test.post(path, bodyFor())).status).toBe(422);
    expect((await live.post(path, bodyFor('https://127.0.0.1/'))).status).toBe(201);
    await test.delete(`${path}/${String(made)}`);
    expect((await test.post(path, bodyFor())).status).toBe(201);
  });
});

describe('what is refused', () => {
  it.each([
    [{}, ['url', 'events']],
    [{ url: 'nonsense', events: ['*'] }, ['url']],
    [{ url: 'ftp://example.com', events: ['*'] }, ['url']],
    [{ url: 'https://user:pw@example.com', events: ['*'] }, ['url']],
    [{ url: 'https://example.com:25', events: ['*'] }, ['url']],
    [{ url: `https://example.com/${'x'.repeat(2_048)}`, events: ['*'] }, ['url']],
    [{ url: 'https://example.com', events: [] }, ['events']],
    [{ url: 'https://example.com', events: ['commission.eaten'] }, ['events']],
    [{ url: 'https://example.com', events: ['*', 'commission.created'] }, ['events']],
    [{ url: 'https://example.com', events: 'commission.created' }, ['events']],
    [{ url: 'https://example.com', events: ['*'], secret: 'x' }, ['secret']],
  ])('%j, naming %j', async (body, fields) => {
    const { test } = await merchant();
    const answer = await test.post<{ code: string; details: { field: string }[] }>(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('VALIDATION_ERROR');
    expect(answer.body.details.map(({ field }) => field)).toEqual(fields);
  });

  it('is http in live mode, before the address is checked', async () => {
    const { live } = await merchant();
    const answer = await live.post(path, bodyFor('http://127.0.0.1/'));
    expect([answer.status, answer.body['code']]).toEqual([422, 'WEBHOOK_URL_NOT_HTTPS']);
  });

  it('is a private address and a name that does not resolve, at create and at update', async () => {
    const http = app.deps.outbound;
    app.deps.outbound = createOutboundHttp({
      allowPrivate: false,
      connectTimeoutMs: 100,
      resolve: (name) =>
        name === 'mixed.example'
          ? Promise.resolve(['2000::1', '10.0.0.1'])
          : name === 'good.example'
            ? Promise.resolve(['2000::1'])
            : Promise.reject(new Error('NXDOMAIN')),
    });
    const { test } = await merchant();
    const created = await test.post(path, bodyFor('https://good.example/'));
    expect(created.status).toBe(201);
    for (const [url, code] of [
      ['http://127.0.0.1:8080/', 'WEBHOOK_URL_PRIVATE_IP'],
      ['http://[::1]:8080/', 'WEBHOOK_URL_PRIVATE_IP'],
      ['http://2130706433/', 'WEBHOOK_URL_PRIVATE_IP'],
      ['https://mixed.example/', 'WEBHOOK_URL_PRIVATE_IP'],
      ['https://gone.example/', 'WEBHOOK_URL_UNRESOLVABLE'],
    ] as const) {
      const answer = await test.post(path, bodyFor(url));
      expect([url, answer.status, answer.body['code']]).toEqual([url, 422, code]);
      const update = await test.patch(`${path}/${String(created.body['id'])}`, { url });
      expect([url, update.status, update.body['code']]).toEqual([url, 422, code]);
    }
    app.deps.outbound = http;
  });
});

describe('a rotation (webhooks.md, Secret)', () => {
  it('gives a new secret, once', async () => {
    const { test } = await merchant();
    const { body } = await test.post(path, bodyFor());
    const rotated = await test.post(`${path}/${String(body['id'])}/rotate-secret`);
    expect(rotated.status).toBe(200);
    expect(rotated.body['signingSecret']).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect(rotated.body['signingSecret']).not.toBe(body['signingSecret']);
    expect(rotated.headers.get('cache-control')).toBe('no-store');
  });

  it.each([-1, 73, 1.5, '24', null])('refuses an overlap of %j hours', async (overlapHours) => {
    const { test } = await merchant();
    const { body } = await test.post(path, bodyFor());
    const answer = await test.post(`${path}/${String(body['id'])}/rotate-secret`, { overlapHours });
    expect(answer.status).toBe(400);
  });

  it('is replayed with its secret under the same Idempotency-Key', async () => {
    const { test } = await merchant();
    const { body } = await test.post(path, bodyFor());
    const call = () =>
      test.post(`${path}/${String(body['id'])}/rotate-secret`, undefined, {
        headers: { 'Idempotency-Key': 'rotate-1' },
      });
    const first = await call();
    const second = await call();
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});

describe('a test ping', () => {
  it('sends one signed example, whatever is subscribed to', async () => {
    sink.received.length = 0;
    const { test } = await merchant();
    const { body } = await test.post(path, bodyFor());
    const ping = await test.post(`${path}/${String(body['id'])}/test-ping`, {
      eventType: 'payout.completed',
    });
    expect(ping.body).toEqual({ success: true, httpStatusCode: 200, errorMessage: null });
    expect(sink.received).toHaveLength(1);
    const [received] = sink.received;
    expect(JSON.parse(received?.body ?? '')).toMatchObject({
      type: 'payout.completed',
      api_version: 'v1',
      mode: 'test',
      // The mark keeps whoever books what is paid from booking this.
      test: true,
      data: { object: { status: 'completed' } },
    });
    const plain = await test.post(`${path}/${String(body['id'])}/test-ping`);
    expect(plain.body['success']).toBe(true);
    expect(JSON.parse(sink.received[1]?.body ?? '')).toMatchObject({
      type: 'webhook.test',
      test: true,
    });
    const list = await test.get<{ total: number }>(`${path}/${String(body['id'])}/deliveries`);
    expect(list.body.total).toBe(0);
  });

  it('tells a bad answer, and never disables the endpoint', async () => {
    const { test } = await merchant();
    const { body } = await test.post(path, bodyFor());
    sink.answer((_request, response) => response.writeHead(410).end());
    const ping = await test.post(`${path}/${String(body['id'])}/test-ping`);
    expect(ping.body).toEqual({
      success: false,
      httpStatusCode: 410,
      errorMessage: 'The receiver answered 410.',
    });
    expect((await test.get(`${path}/${String(body['id'])}`)).body['active']).toBe(true);
    sink.answer(() => undefined);
    const hanging = await test.post(`${path}/${String(body['id'])}/test-ping`);
    expect(hanging.body).toEqual({
      success: false,
      httpStatusCode: null,
      errorMessage: 'No answer within 400 ms.',
    });
    sink.answer((_request, response) => response.end('ok'));
  });

  it('refuses an unknown kind', async () => {
    const { test } = await merchant();
    const { body } = await test.post(path, bodyFor());
    const answer = await test.post(`${path}/${String(body['id'])}/test-ping`, { eventType: 'x' });
    expect(answer.status).toBe(400);
  });
});
