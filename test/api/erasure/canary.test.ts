import { eventTopics } from '../../../activities/journal/outbox';
import Stripe from 'stripe';
import { newId } from '../../../entities/ids';
import { execute, query } from '../../../entities/database/sql';
import { relayHandlers } from '../../../workers/relay/handlers';
import { relayOnce } from '../../support/workers/relay-once';
import type { Caller } from '../../support/api-client';
import { buildApiKey, buildMember, signIn } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildFraudFlag } from '../../support/build/fraud-flags';
import { buildProgram } from '../../support/build/programs';
import { buildEndpoint } from '../../support/build/webhooks';
import { openErasureStage, type ErasureStage } from '../../support/workers/erasure-stage';
import { eventually } from '../../support/eventually';
import { deliverQueued } from '../../support/stored/mails';
import { findTraces, readHistories, readRedis, readTables } from '../../support/stored/traces';

let app: ErasureStage;
const logged: string[] = [];
beforeAll(async () => {
  app = await openErasureStage();
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    jest.spyOn(app.deps.log, level).mockImplementation((...line: unknown[]) => {
      logged.push(JSON.stringify(line));
    });
  }
}, 60_000);
afterAll(() => app.close());

const password = 'correct horse battery';
const tokens = new Map<string, string>();

/** A text of its own for each way in; the way is part of it, so that a trace names its source. */
function canary(way: string): string {
  const token = `zq${way.replaceAll(/[^a-z]/g, '')}${newId().slice(-8)}`;
  tokens.set(way, token);
  return token;
}

async function places(): Promise<Map<string, string>> {
  const all = await readTables(app.deps);
  all.set('redis', await readRedis(app.deps));
  all.set('logs', logged.join('\n'));
  all.set('histories', await readHistories(app.deps));
  return all;
}

async function relayEvents(): Promise<void> {
  const handlers = relayHandlers(app.deps);
  for (const topic of eventTopics) {
    while ((await relayOnce(app.deps, topic, handlers[topic])) > 0);
  }
}

interface Stage {
  merchant: Caller;
  testMerchant: Caller;
  publicKey: string;
  programs: Record<'live' | 'test', string>;
  workspaceId: string;
}

async function buildStage(): Promise<Stage> {
  const { deps, client } = app;
  const db = deps.db.manager;
  const owner = await buildMember(db);
  const { workspaceId } = owner;
  const { accessToken } = await signIn(deps, owner);
  const live = await buildProgram(db, { workspaceId });
  const test = await buildProgram(db, { workspaceId, mode: 'test' });
  await buildEndpoint(deps, { workspaceId, mode: 'live' });
  const { key } = await buildApiKey(db, { workspaceId, mode: 'live', kind: 'public' });
  return {
    merchant: client.as(accessToken, 'live'),
    testMerchant: client.as(accessToken, 'test'),
    publicKey: key,
    programs: { live: live.id, test: test.id },
    workspaceId,
  };
}

const agent = (way: string) => ({ headers: { 'User-Agent': `Mozilla/5.0 ${canary(way)}` } });
const stored = (key: string) => ({ headers: { 'Idempotency-Key': key } });

async function registerPartner() {
  const former = `${canary('former address')}@example.test`;
  const email = `${canary('address')}@example.test`;
  const name = `Zoë ${canary('former name')}`;
  const { body } = await app.client.post<{ accessToken: string; account: { id: string } }>(
    '/api/v1/auth/partner/register',
    { email: former, password, name },
    agent('agent at registration'),
  );
  const self = app.client.as(body.accessToken, 'live');
  await self.post('/api/v1/auth/partner/change-email', { email, password });
  await self.patch('/api/v1/partner/account', { vatId: canary('vat id') });
  const method = { type: 'other', text: canary('payout method') };
  await self.put('/api/v1/partner/payout-method', { method, password });
  await app.client.post('/api/v1/auth/partner/login', { email, password }, agent('agent at login'));
  await app.client.post('/api/v1/auth/partner/login', { email, password: 'a wrong password' });
  await app.client.post('/api/v1/auth/partner/forgot-password', { email });
  await app.client.post('/api/v1/auth/partner/forgot-password', { email: former });
  return { self, id: body.account.id, email, testSelf: app.client.as(body.accessToken, 'test') };
}

type Partner = Awaited<ReturnType<typeof registerPartner>>;

async function takePart(stage: Stage, partner: Partner): Promise<string> {
  const { merchant, programs } = stage;
  const invites = `/api/v1/programs/${programs.live}/invites`;
  await merchant.post(
    invites,
    { email: partner.email, name: canary('name on an invite') },
    stored('invite'),
  );
  const path = (programId: string) => `/api/v1/partner/programs/${programId}`;
  const application = {
    message: `I know ${canary('message')}`,
    referralCode: canary('first code'),
  };
  const { body } = await partner.self.post<{ id: string }>(
    `${path(programs.live)}/applications`,
    application,
    stored('apply'),
  );
  await partner.testSelf.post(`${path(programs.test)}/applications`, {
    message: canary('message in test mode'),
    referralCode: canary('code in test mode'),
  });
  const participant = `/api/v1/programs/${programs.live}/partners/${body.id}`;
  await merchant.patch(`${participant}/reject`, { reason: canary('reason of a rejection') });
  await merchant.patch(`${participant}/approve`);
  await merchant.patch(`${participant}/referral-code`, { referralCode: canary('second code') });
  await merchant.post(`${participant}/promo-codes`, { code: 'TAKEN10' }, stored('code'));
  await partner.self.post(`${path(programs.live)}/links`, {
    name: canary('link'),
    targetUrl: `https://shop.example/?about=${canary('target')}`,
  });
  await merchant.patch(`${participant}/suspend`, { reason: canary('reason of a suspension') });
  await merchant.patch(`${participant}/reinstate`);
  await merchant.patch(`${participant}/suspend`, { reason: canary('reason that stands') });
  await merchant.patch(`${participant}/reinstate`);
  return body.id;
}

async function click(stage: Stage): Promise<void> {
  for (const ref of ['first code', 'second code']) {
    const body = {
      ref: tokens.get(ref),
      url: `https://shop.example/?u=${canary(`url with ${ref}`)}`,
      referrer: `https://blog.example/${canary(`referrer with ${ref}`)}`,
    };
    const headers = {
      Authorization: `Bearer ${stage.publicKey}`,
      'User-Agent': `Mozilla/5.0 (X11; Linux x64) Firefox/140.0 ${canary(`agent with ${ref}`)}`,
    };
    expect((await app.client.post('/v1/clicks', body, { headers })).status).toBe(201);
  }
}

async function decide(stage: Stage, participantId: string): Promise<void> {
  const db = app.deps.db.manager;
  const [participant] = await query<{ id: string }>(
    db,
    `SELECT id, workspace_id AS "workspaceId", mode, program_id AS "programId",
            partner_id AS "partnerId" FROM participants WHERE id = $1`,
    [participantId],
  );
  const path = `/api/v1/programs/${stage.programs.live}/commissions`;
  const build = async () => (await buildCommission(db, { participant: participant as never })).id;
  const reason = (way: string) => ({ reason: `Because of ${canary(way)}` });
  await stage.merchant.patch(`${path}/${await build()}/reject`, reason('reason of one'));
  const override = reason('reason of an override');
  await stage.merchant.patch(`${path}/${await build()}/approve-override`, override);
  const { conversionId } = await buildCommission(db, { participant: participant as never });
  const flag = await buildFraudFlag(db, participant as never, conversionId);
  const flags = `/api/v1/programs/${stage.programs.live}/fraud-flags`;
  const note = canary('note on a fraud flag');
  await stage.merchant.post(`${flags}/${flag.id}/resolve`, { state: 'dismissed', note });
  const many = { commissionIds: [await build(), await build()], ...reason('reason of many') };
  await stage.merchant.patch(`${path}/bulk-reject`, many);
}

/** What other machines send of the partner: a receiver, the mail provider, Stripe. */
async function hearOf(stage: Stage, partner: Partner): Promise<void> {
  const { deps } = app;
  await relayEvents();
  const answer = `{"seen":"${partner.email}","note":"${canary('answer of a receiver')}"}`;
  await execute(deps.db.manager, 'UPDATE webhook_deliveries SET response_body = $1', [answer]);
  await execute(
    deps.db.manager,
    `INSERT INTO suppressed_addresses (id, email_hash, reason, created_at)
     VALUES ($1, $2, 'bounced', now())`,
    [newId(), deps.vault.contactHash(partner.email)],
  );
  const secret = 'whsec_0123456789abcdef0123456789abcdef';
  const connection = await stage.merchant.put<{ url: string }>('/api/v1/workspace/stripe', {
    webhookSecret: secret,
  });
  const payload = JSON.stringify({
    id: `evt_${newId()}`,
    object: 'event',
    type: 'customer.created',
    livemode: true,
    data: {
      object: {
        id: 'cus_1',
        object: 'customer',
        email: partner.email,
        name: canary('name at stripe'),
      },
    },
  });
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  await app.client.post(new URL(connection.body.url).pathname, payload, {
    headers: { 'Stripe-Signature': header },
  });
  await execute(deps.db.manager, `UPDATE stripe_events SET status = 'ignored'`);
}

/** Figures of the merchant, which an erasure must not move. */
async function figures({ merchant, programs }: Stage, participantId: string) {
  const path = `/api/v1/programs/${programs.live}`;
  const { body } = await merchant.get(`${path}/partners/${participantId}`);
  const { clicks, conversions, revenue, commissions, promoCodes } = body;
  const balance = (await merchant.get(`${path}/partners/${participantId}/balance`)).body;
  const stats = (await merchant.get(`${path}/commissions/stats`)).body;
  const [ledger] = await query(
    app.deps.db.manager,
    'SELECT count(*) AS entries, sum(amount_cents)::bigint AS total FROM ledger_entries',
  );
  return { clicks, conversions, revenue, commissions, promoCodes, balance, stats, ledger };
}

it('leaves no trace of an erased account anywhere', async () => {
  const stage = await buildStage();
  const partner = await registerPartner();
  const participantId = await takePart(stage, partner);
  await relayEvents();
  await partner.self.patch('/api/v1/partner/account', { name: `Zoë ${canary('name')}` });
  await click(stage);
  await decide(stage, participantId);
  await hearOf(stage, partner);
  await deliverQueued(app.deps);

  const all = [...tokens.values()];
  expect(all.length).toBeGreaterThanOrEqual(30);
  const before = findTraces(await places(), all);
  const unseen = all.filter((token) => !before.some((trace) => trace.startsWith(`${token} `)));
  expect(unseen).toEqual([]);
  expect(before.filter((trace) => /in (logs|histories|redis)$/.test(trace))).toEqual([]);
  const known = await figures(stage, participantId);

  const { status } = await partner.self.post('/api/v1/partner/account/erase', {
    confirmation: 'DELETE',
  });
  expect(status).toBe(200);
  await eventually(async () => {
    const [open] = await query(
      app.deps.db.manager,
      `SELECT 1 FROM erasures WHERE status <> 'completed'`,
    );
    return open === undefined ? true : undefined;
  });
  await relayEvents();
  // The address had bounced.
  expect(await deliverQueued(app.deps)).toEqual(['suppressed']);

  expect(findTraces(await places(), all)).toEqual([]);
  expect(await figures(stage, participantId)).toEqual(known);
  const { body } = await stage.merchant.get<{ total: number }>('/api/v1/gdpr/receipts');
  expect(body.total).toBe(1);
}, 90_000);
