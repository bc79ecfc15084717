import { newId } from '../../entities/ids';
import { execute } from '../../entities/database/sql';
import { asOwner } from '../support/database';
import { startTestApp, type TestApp } from '../support/app';
import type { Caller } from '../support/api-client';
import {
  openBackendKiller,
  type BackendKiller,
  type Death,
} from '../support/faults/backend-killer';
import { buildApiKey, buildMember, buildPartner, signIn } from '../support/build/accounts';
import { buildClick } from '../support/build/clicks';
import { buildCommission, buildPayout } from '../support/build/commissions';
import { buildConversion } from '../support/build/conversions';
import { buildParticipant, buildProgram, buildPromoCode } from '../support/build/programs';
import type { Program } from '../../entities/tables/programs/program.entity';

let app: TestApp;
let killer: BackendKiller;
let owner: Caller;
let partner: Caller;
let shop: Caller;
let page: Caller;
let scope: { workspaceId: string; mode: 'test' };
let program: Program;
let promoCode: string;
let keyIds: string[];
let participant: Awaited<ReturnType<typeof buildParticipant>>;

beforeAll(async () => {
  app = await startTestApp();
  const db = app.deps.db.manager;
  killer = await openBackendKiller(app.deps.config.databaseUrl);
  const member = await buildMember(db);
  scope = { workspaceId: member.workspaceId, mode: 'test' };
  owner = app.client.as((await signIn(app.deps, member)).accessToken, 'test');
  program = await buildProgram(db, scope);
  const account = await buildPartner(db);
  partner = app.client.as((await signIn(app.deps, account)).accessToken, 'test');
  participant = await buildParticipant(db, { program, partnerId: account.id });
  promoCode = (await buildPromoCode(db, participant)).code;
  const secretKey = await buildApiKey(db, { ...scope, kind: 'secret' });
  const publicKey = await buildApiKey(db, { ...scope, kind: 'public' });
  keyIds = [secretKey.id, publicKey.id];
  shop = app.client.as(secretKey.key);
  page = app.client.as(publicKey.key);
}, 60_000);
afterAll(async () => {
  await killer.close();
  await app.close();
});

interface Request {
  by: Caller;
  method?: 'post' | 'patch';
  path: string;
  body?: unknown;
}

const manager = () => app.deps.db.manager;
const text = () => newId().slice(-12);
const commission = (status: 'pending' | 'approved') =>
  buildCommission(manager(), { program, participant, status });
/** A workspace has ten at most. */
const fewEndpoints = () => execute(manager(), 'DELETE FROM webhook_endpoints');
/** And so many keys. */
const fewKeys = () =>
  asOwner(app.deps.config.databaseUrl, 'DELETE FROM api_keys WHERE NOT (id = ANY($1))', [keyIds]);
const decisions = () => `/api/v1/programs/${program.id}/commissions`;

/** What changes something, each time on something of its own. */
const requests: Record<string, () => Request | Promise<Request>> = {
  reportConversion: () => ({
    by: shop,
    path: '/api/v1/conversions',
    body: {
      external_transaction_id: newId(),
      event_type: 'purchase',
      amount_cents: 5_000,
      currency: 'usd',
      promo_code: promoCode,
    },
  }),
  refundConversion: async () => {
    const { id } = await buildConversion(manager(), { participant });
    const body = { external_refund_id: newId(), amount_cents: 1 };
    return { by: shop, path: `/api/v1/conversions/${id}/refunds`, body };
  },
  recordClick: () => ({ by: page, path: '/v1/clicks', body: { ref: participant.referralCode } }),
  expireClick: async () => {
    const { id } = await buildClick(manager(), { participant });
    return { by: shop, path: `/api/v1/attribution/clicks/${id}/expire` };
  },
  approveCommission: async () => ({
    by: owner,
    method: 'patch',
    path: `${decisions()}/${(await commission('pending')).id}/approve-override`,
    body: { reason: 'A reason' },
  }),
  createProgram: () => ({
    by: owner,
    path: '/api/v1/programs',
    body: {
      name: text(),
      websiteUrl: 'https://shop.example',
      commission: { type: 'flat', amountCents: 5 },
    },
  }),
  createApiKey: async () => {
    await fewKeys();
    const body = { kind: 'secret', mode: 'test' };
    return { by: owner, path: '/api/v1/workspace/api-keys', body };
  },
  invitePartner: () => ({
    by: owner,
    path: `/api/v1/programs/${program.id}/invites`,
    body: { email: `${text()}@example.com` },
  }),
  applyToProgram: async () => {
    const { id } = await buildProgram(manager(), scope);
    return { by: partner, path: `/api/v1/partner/programs/${id}/applications`, body: {} };
  },
  createPartnerLink: () => ({
    by: partner,
    path: `/api/v1/partner/programs/${program.id}/links`,
    body: { targetUrl: `${program.websiteUrl}/${text()}` },
  }),
  elapseCommissionHold: async () => ({
    by: owner,
    path: `${decisions()}/${(await commission('pending')).id}/elapse-hold`,
  }),
  completePayout: async () => {
    const { id } = await buildPayout(manager(), [await commission('approved')]);
    return { by: owner, path: `/api/v1/payouts/${id}/complete` };
  },
  createWebhook: async () => {
    await fewEndpoints();
    const body = { url: `http://127.0.0.1:65000/${text()}`, events: ['commission.approved'] };
    return { by: owner, path: '/api/v1/webhooks', body };
  },
};

function send({ by, method = 'post', path, body }: Request, key: string) {
  return by[method](path, body, { headers: { 'Idempotency-Key': key } });
}

type Counts = Record<string, number>;

function changesBetween(before: Counts, after: Counts): Counts {
  const changes = Object.entries(after).map(([table, rows]) => [
    table,
    rows - (before[table] ?? 0),
  ]);
  return Object.fromEntries(changes.filter(([, rows]) => rows !== 0)) as Counts;
}

const statementsAtMost = 40;

describe.each<Death>(['gone', 'lost'])('a connection that is %s in the course of', (death) => {
  it.each(Object.keys(requests))('%s is 503, and a repeat has the effect once', async (name) => {
    const make = requests[name] as () => Request | Promise<Request>;
    const clean = await make();
    const untouched = await killer.counts();
    expect((await send(clean, newId())).status).toBeLessThan(300);
    const effect = changesBetween(untouched, await killer.counts());

    let statement = 1;
    for (let died = true; died && statement < statementsAtMost; statement += 1) {
      const request = await make();
      const key = newId();
      const before = await killer.counts();
      killer.arm(statement, death);
      const answer = await send(request, key);
      died = killer.disarm();
      if (answer.status >= 300) expectOutage(answer, statement);
      const between = await killer.counts();
      await send(request, key);
      const after = await killer.counts();
      const first = changesBetween(before, between);
      // All or nothing, whatever was answered; and the repeat adds what is missing, once.
      if (Object.keys(first).length > 0) expect([statement, first]).toEqual([statement, effect]);
      expect([statement, changesBetween(before, after)]).toEqual([statement, effect]);
    }
    expect(statement).toBeGreaterThan(2);
    expect(statement).toBeLessThan(statementsAtMost);
  });
});

function expectOutage(answer: Awaited<ReturnType<typeof send>>, statement: number): void {
  const code = answer.body['code'];
  expect([statement, answer.status, code]).toEqual([statement, 503, 'SERVICE_UNAVAILABLE']);
  expect(answer.headers.get('retry-after')).toBeTruthy();
}
