import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { claimAnyPort } from '../../stack/parts/ports';
import { prepareNamespace } from '../../workers/temporal/namespace';
import { startTestApp, testEnvironment, type TestApp } from '../support/app';
import type { Caller } from '../support/api-client';
import { buildApiKey, buildMember, buildPartner, signIn } from '../support/build/accounts';
import { buildService, startService, type ServiceProcess } from '../support/stack/service-process';

/**
 * A receiver as docs/webhooks.md tells to write one: verify the raw body with a Standard Webhooks
 * library, handle each webhook-id once, answer 2xx; nothing of the service's own code is in it.
 */
interface Receiver {
  url: string;
  /** Secrets that it accepts, as it was given them. */
  secrets: string[];
  handled: Map<string, Record<string, unknown>>;
  refused: number;
  isDown: boolean;
  close(): Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  const receiver = { secrets: [] as string[], handled: new Map(), refused: 0, isDown: false };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (receiver.isDown) return void response.writeHead(503).end();
      const event = receiver.secrets
        .map((secret) => verified(secret, Buffer.concat(chunks).toString(), request.headers))
        .find((payload) => payload !== undefined);
      if (!event) {
        receiver.refused += 1;
        return void response.writeHead(401).end();
      }
      const id = String(request.headers['webhook-id']);
      if (!receiver.handled.has(id)) receiver.handled.set(id, event);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function verified(
  secret: string,
  body: string,
  headers: object,
): Record<string, unknown> | undefined {
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) as Record<
      string,
      unknown
    >;
  } catch {
    return undefined;
  }
}

jest.setTimeout(180_000);

let app: TestApp;
let worker: ServiceProcess;
let receiver: Receiver;

beforeAll(async () => {
  buildService();
  app = await startTestApp();
  const namespace = `receiver-${process.pid}`;
  await prepareNamespace({ address: app.deps.config.temporal.address, namespace });
  worker = await startService('workers/main.js', {
    ...testEnvironment(app.deps.config.databaseUrl),
    TEMPORAL_NAMESPACE: namespace,
    ADMIN_PORT: String(await claimAnyPort()),
    WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,4s,4s,4s',
  });
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.close();
  await worker.stop();
  await app.close();
});

async function untilHandled(count: number): Promise<void> {
  for (let turn = 0; turn < 600 && receiver.handled.size < count; turn += 1) await pause(100);
  expect(receiver.handled.size).toBeGreaterThanOrEqual(count);
}

describe('a receiver written from the documentation', () => {
  it("gets every event of a commission's life once, through a rotation and an outage", async () => {
    const member = await buildMember(app.deps.db.manager);
    const merchant = app.client.as((await signIn(app.deps, member)).accessToken, 'test');
    const { key: secretKey } = await buildApiKey(app.deps.db.manager, {
      workspaceId: member.workspaceId,
      mode: 'test',
    });
    const key = app.client.as(secretKey);
    const endpoint = await merchant.post('/api/v1/webhooks', { url: receiver.url, events: ['*'] });
    const webhook = `/api/v1/webhooks/${String(endpoint.body['id'])}`;
    receiver.secrets = [String(endpoint.body['signingSecret'])];

    const { programId, partners } = await beginProgram(merchant);
    const sale = await sell(key, 'order-1');
    await untilHandled(4);

    // A rotation with an overlap: the receiver goes on with the old secret, then takes the new one.
    const rotated = await merchant.post(`${webhook}/rotate-secret`, { overlapHours: 1 });
    const commission = `/api/v1/programs/${programId}/commissions/${sale.commissionId}`;
    await merchant.patch(`${commission}/approve-override`, { reason: 'Known customer' });
    await untilHandled(5);
    receiver.secrets = [String(rotated.body['signingSecret'])];

    // An outage while the money moves.
    receiver.isDown = true;
    const refund = { external_refund_id: 'r1', amount_cents: 2_500 };
    await key.post(`/api/v1/conversions/${sale.id}/refunds`, refund);
    const payout = await merchant.post('/api/v1/payouts', { programId });
    await merchant.post(`/api/v1/payouts/${String(payout.body['id'])}/complete`);
    await merchant.patch(`${partners}/suspend`, { reason: 'End of the story' });
    await pause(1_500);
    receiver.isDown = false;

    const log = await key.get<{ data: { id: string; type: string }[] }>('/api/v1/events?limit=100');
    await untilHandled(log.body.data.length);
    const expected = Object.fromEntries(log.body.data.map((event) => [event.id, event]));
    expect(Object.fromEntries(receiver.handled)).toEqual(expected);
    expect(receiver.refused).toBe(0);
    expect(new Set(log.body.data.map(({ type }) => type))).toEqual(
      new Set([
        'participant.applied',
        'participant.approved',
        'conversion.created',
        'commission.created',
        'commission.approved',
        'conversion.refunded',
        'commission.refunded',
        'payout.created',
        'payout.completed',
        'commission.paid',
        'participant.suspended',
      ]),
    );
  });
});

async function beginProgram(merchant: Caller): Promise<{ programId: string; partners: string }> {
  const program = await merchant.post<{ id: string }>('/api/v1/programs', {
    name: 'Garden tools',
    websiteUrl: 'https://shop.example',
    commission: { type: 'percentage', rateBps: 1_000 },
  });
  const programId = program.body.id;
  const partner = await buildPartner(app.deps.db.manager);
  const own = app.client.as((await signIn(app.deps, partner)).accessToken, 'test');
  const applied = await own.post<{ id: string }>(
    `/api/v1/partner/programs/${programId}/applications`,
    {},
  );
  const partners = `/api/v1/programs/${programId}/partners/${applied.body.id}`;
  await merchant.patch(`${partners}/approve`);
  await merchant.post(`${partners}/promo-codes`, { code: 'GARDEN10' });
  return { programId, partners };
}

async function sell(key: Caller, order: string): Promise<{ id: string; commissionId: string }> {
  const answer = await key.post<{ id: string; commission: { id: string } }>('/api/v1/conversions', {
    external_transaction_id: order,
    event_type: 'purchase',
    amount_cents: 10_000,
    currency: 'usd',
    promo_code: 'GARDEN10',
  });
  return { id: answer.body.id, commissionId: answer.body.commission.id };
}
