import { transaction } from '../../../entities/database/sql';
import { flagCommission } from '../../support/build/review-flags';
import { webhookEventKinds, type WebhookEventKind } from '../../../entities/rules/webhooks/events';
import { exampleEvent } from '../../../entities/rules/webhooks/examples';
import { routes } from '../../../api/routes';
import { mainDocument } from '../../../api/docs/documents';
import { buildDocument } from '../../../api/http/contract/openapi';
import { eventPayloads } from '../../../api/webhooks/event-payloads.dto';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildApiKey, buildMember, buildPartner, signIn } from '../../support/build/accounts';
import { buildEvent } from '../../support/build/webhooks';
import { createResponseChecker } from '../../support/answers/response-checker';

const app = useApp();
let merchant: Caller;
let key: Caller;
let workspaceId: string;

beforeAll(async () => {
  const member = await buildMember(app.deps.db.manager);
  workspaceId = member.workspaceId;
  merchant = app.client.as((await signIn(app.deps, member)).accessToken, 'test');
  const secret = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' });
  key = app.client.as(secret.key);
});

type Envelope = Record<string, unknown> & {
  id: string;
  type: WebhookEventKind;
  sequence: number;
  data: { object: Record<string, unknown> };
};

interface Page {
  data: Envelope[];
  total: number;
}

/** Throws when a payload is not what the OpenAPI document publishes for its kind. */
function payloadChecker(): (event: Envelope) => void {
  const document = buildDocument(routes, mainDocument(app.url));
  const paths = Object.fromEntries(
    webhookEventKinds.map((kind) => {
      const schema = { $ref: `#/components/schemas/${eventPayloads[kind].name}` };
      const responses = { 200: { content: { 'application/json': { schema } } } };
      return [`/${kind}`, { post: { responses } }];
    }),
  );
  const check = createResponseChecker([{ paths, components: document['components'] }]);
  return (event) => {
    const path = `/${event.type}`;
    const problem = check({ method: 'POST', path, status: 200, body: event, isJson: true });
    expect(problem).toBeUndefined();
  };
}

async function partnerIn(programId: string): Promise<{ id: string; email: string; own: Caller }> {
  const partner = await buildPartner(app.deps.db.manager);
  const own = app.client.as((await signIn(app.deps, partner)).accessToken, 'test');
  const applied = await own.post<{ id: string }>(
    `/api/v1/partner/programs/${programId}/applications`,
    { message: 'Hello' },
  );
  return { id: applied.body.id, email: partner.email, own };
}

async function report(fields: Record<string, unknown>) {
  const answer = await key.post<{ id: string; commission: { id: string } | null }>(
    '/api/v1/conversions',
    { event_type: 'purchase', amount_cents: 10_000, currency: 'usd', ...fields },
  );
  expect(answer.status).toBe(201);
  return { id: answer.body.id, commissionId: answer.body.commission?.id ?? '' };
}

/** A programme's life, so that every kind which the product can cause by now is caused. */
async function liveThroughEverything(): Promise<void> {
  const program = await merchant.post<{ id: string }>('/api/v1/programs', {
    name: 'Garden tools',
    websiteUrl: 'https://shop.example',
    commission: { type: 'percentage', rateBps: 1_000 },
  });
  const programId = program.body.id;
  const partners = `/api/v1/programs/${programId}/partners`;
  const commissions = `/api/v1/programs/${programId}/commissions`;

  const other = await partnerIn(programId);
  await merchant.patch(`${partners}/${other.id}/reject`, { reason: 'No' });
  const partner = await partnerIn(programId);
  await merchant.patch(`${partners}/${partner.id}/approve`);
  await merchant.patch(`${partners}/${partner.id}/suspend`, { reason: 'Why' });
  await merchant.patch(`${partners}/${partner.id}/reinstate`);
  const groups = `/api/v1/programs/${programId}/groups`;
  const { body: gold } = await merchant.post<{ id: string }>(groups, { name: 'Gold' });
  await merchant.patch(`${partners}/${partner.id}/group`, { groupId: gold.id });
  await merchant.post(`${partners}/${partner.id}/promo-codes`, { code: 'GARDEN10' });

  const sale = { promo_code: 'GARDEN10', metadata: { plan: 'pro' }, customer_id: 'c1' };
  const paid = await report({ ...sale, external_transaction_id: 'o1' });
  const rejected = await report({ ...sale, external_transaction_id: 'o2' });
  await report({ ...sale, external_transaction_id: 'o3', prospect_email: partner.email });
  await report({ external_transaction_id: 'o4', promo_code: 'NOBODY' });

  await transaction(app.deps.db, (tx) =>
    flagCommission(
      tx,
      { commissionId: rejected.commissionId, reason: 'DISPUTED' },
      app.deps.clock.now(),
    ),
  );
  await merchant.patch(`${commissions}/${rejected.commissionId}/reject`, { reason: 'Fraud' });
  await merchant.patch(`${commissions}/${paid.commissionId}/approve-override`, { reason: 'Ok' });
  const refund = { external_refund_id: 'r1', amount_cents: 2_500 };
  await key.post(`/api/v1/conversions/${paid.id}/refunds`, refund);
  const payout = await pay(programId);
  await merchant.post(`/api/v1/payouts/${payout.id}/complete`);
  const item = `/api/v1/payouts/${payout.id}/items/${payout.items[0]?.id}`;
  await merchant.post(`${item}/mark`, { status: 'returned', reason: 'Account closed' });
  const again = await pay(programId);
  await merchant.post(`/api/v1/payouts/${again.id}/cancel`);
}

async function pay(programId: string) {
  type Payout = { id: string; items: { id: string }[] };
  return (await merchant.post<Payout>('/api/v1/payouts', { programId })).body;
}

describe('the payloads of events (webhooks.md, Kinds and envelope)', () => {
  it('are published with an example that fits, one schema for each kind', () => {
    const check = payloadChecker();
    const { components } = buildDocument(routes, mainDocument(app.url)) as {
      components: { schemas: Record<string, unknown> };
    };
    for (const kind of webhookEventKinds) {
      expect(components.schemas).toHaveProperty(eventPayloads[kind].name);
      check(exampleEvent(kind) as unknown as Envelope);
    }
    expect(() =>
      check({ ...exampleEvent('payout.created'), extra: 1 } as unknown as Envelope),
    ).toThrow();
  });

  it('are what their schemas say when real changes cause them', async () => {
    await liveThroughEverything();
    const { body } = await merchant.get<Page>('/api/v1/events?limit=100');
    const check = payloadChecker();
    body.data.forEach(check);

    const seen = new Set(body.data.map(({ type }) => type));
    // A payout that a provider sends is a story of its own (test/api/sending).
    const later = new Set<WebhookEventKind>([
      ...(['participant.erased', 'payout.item_updated', 'webhook.test'] as const),
    ]);
    expect(webhookEventKinds.filter((kind) => !seen.has(kind) && !later.has(kind))).toEqual([]);
    const text = JSON.stringify(body.data);
    expect(text).not.toContain('@');
    for (const { api_version: version, mode } of body.data) {
      expect([version, mode]).toEqual(['v1', 'test']);
    }
  });

  it('grow in sequence for each object, in the order in which things happened', async () => {
    const { body } = await merchant.get<Page>('/api/v1/events?limit=100');
    const paid = body.data.find(({ type }) => type === 'commission.paid');
    const own = body.data
      .filter(({ data, type }) => {
        return data.object['id'] === paid?.data.object['id'] && type.startsWith('commission');
      })
      .sort((a, b) => a.sequence - b.sequence);
    expect(own.map(({ type }) => type)).toEqual([
      'commission.created',
      'commission.approved',
      'commission.refunded',
      'commission.paid',
      // The payment came back.
      'commission.updated',
    ]);
    expect(new Set(own.map(({ sequence }) => sequence)).size).toBe(5);
  });
});

describe('the event log', () => {
  it('shows the same to a secret key and to a bearer of its workspace and mode', async () => {
    const bearer = await merchant.get<Page>('/api/v1/events?limit=5');
    const byKey = await key.get<Page>('/api/v1/events?limit=5');
    expect(byKey.body).toEqual(bearer.body);
    const [event] = bearer.body.data;
    expect((await key.get(`/api/v1/events/${event?.id}`)).body).toEqual(event);

    const live = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'live' });
    const foreign = await buildApiKey(app.deps.db.manager, { mode: 'test' });
    for (const other of [live, foreign]) {
      const caller = app.client.as(other.key);
      expect((await caller.get<Page>('/api/v1/events')).body.total).toBe(0);
      const answer = await caller.get(`/api/v1/events/${event?.id}`);
      expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('filters by kind and time, newest first', async () => {
    const { body } = await key.get<Page>('/api/v1/events?type=commission.created&limit=100');
    expect(new Set(body.data.map(({ type }) => type))).toEqual(new Set(['commission.created']));
    const times = body.data.map((event) => String(event['created_at']));
    expect(times).toEqual([...times].sort().reverse());
    const none = await key.get<Page>('/api/v1/events?dateFrom=2999-01-01');
    expect(none.body.total).toBe(0);
    const until = await key.get<Page>(`/api/v1/events?dateTo=${times.at(-1)}`);
    expect(until.body.data.some((event) => event['created_at'] === times.at(-1))).toBe(false);
  });

  it.each(['type=commission.eaten', 'dateFrom=yesterday', 'limit=101', 'page=0'])(
    'refuses %s',
    async (query) => {
      expect((await key.get(`/api/v1/events?${query}`)).status).toBe(400);
    },
  );

  it.each(['evt_', 'evt_nonsense', 'nonsense', 'evt_01920d3c-5f00-7000-8000-0000000000ff'])(
    'knows no event %s',
    async (id) => {
      const answer = await key.get(`/api/v1/events/${id}`);
      expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('wants a good credential', async () => {
    for (const caller of [app.client, app.client.as('sk_test_nonsense')]) {
      const answer = await caller.get('/api/v1/events');
      expect([answer.status, answer.body['code']]).toEqual([401, 'INVALID_API_KEY']);
    }
  });

  it('ends after 30 days', async () => {
    const scope = { workspaceId, mode: 'test' as const };
    const at = new Date(app.deps.clock.now().getTime() - 30 * 86_400_000 - 1_000);
    const old = await buildEvent(app.deps, scope, { at });
    expect((await key.get(`/api/v1/events/evt_${old}`)).status).toBe(404);
  });
});
