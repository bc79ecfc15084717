import Stripe from 'stripe';
import { newId } from '../../entities/ids';
import type { Mode } from '../../entities/rules/values/mode';
import type { Role } from '../../entities/rules/values/roles';
import { execute, prepared, query } from '../../entities/database/sql';
import type { TestApp } from './app';
import { buildApiKey, buildMember, buildPartner, buildWorkspace, signIn } from './build/accounts';
import { buildClick } from './build/clicks';
import { buildCommission, buildPayout } from './build/commissions';
import { buildFraudFlag } from './build/fraud-flags';
import { buildConversion } from './build/conversions';
import { buildCustomer } from './build/customers';
import { happen } from './build/notifications';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  buildPromoCode,
  type BuiltParticipant,
} from './build/programs';
import { buildEndpoint, buildEvent, seeDeliveries } from './build/webhooks';
import { paddleSecret, paddleSignature } from './billers/paddle';

/** A workspace with one of everything, and credentials of every kind. */
export interface World {
  workspaceId: string;
  programId: string;
  owner: { token: string };
  partner: { token: string };
  members: Record<Role, string>;
  /** `testSecret` is of the other mode than all the rest. */
  keys: { public: string; secret: string; testSecret: string };
  /** The id that stands for this parameter in this path. */
  id(name: string, path: string): string;
  /** What of this workspace a text gives away. */
  secretsIn(text: string): string[];
  /** Changes when any row of the workspace changes. */
  fingerprint(): Promise<string>;
}

const webhookSecret = 'whsec_0123456789abcdef0123456789abcdef';

interface WorldOptions {
  mode: Mode;
  workspaceId?: string;
  /** Puts somebody into the programme in place of a partner with an account. */
  enter?: (
    program: Awaited<ReturnType<typeof buildProgram>>,
    name: string,
  ) => Promise<BuiltParticipant>;
}

export async function buildWorld(
  app: TestApp,
  { mode, workspaceId: given, enter }: WorldOptions,
): Promise<World> {
  const { deps } = app;
  const db = deps.db.manager;
  const marker = `Marker${newId().slice(-12)}`;
  const workspaceId = given ?? (await buildWorkspace(db, { name: marker })).id;
  const scope = { workspaceId, mode };

  const members = await signInMembers(app, workspaceId, marker);
  const partner = await buildPartner(db, { name: marker });
  const { accessToken: partnerToken, sessionId } = await signIn(deps, partner);
  const program = await buildProgram(db, { ...scope, name: marker });
  const own = { partnerId: partner.id, partnerName: marker, partnerEmail: partner.email };
  const participant = enter
    ? await enter(program, marker)
    : await buildParticipant(db, { program, ...own });
  const promoCode = await buildPromoCode(db, participant);
  const link = await buildLink(db, participant, { name: marker });
  const click = await buildClick(db, { participant });
  const conversion = await buildConversion(db, { participant, customerId: marker });
  const { customerId } = await buildCustomer(db, participant);
  const flag = await buildFraudFlag(db, participant, conversion.id);
  const commission = await buildCommission(db, { participant, program });
  const payable = await buildCommission(db, { participant, program, status: 'approved' });
  const payout = await buildPayout(db, [payable]);
  const endpoint = await buildEndpoint(deps, scope);
  const eventId = await buildEvent(deps, scope);
  const [delivery] = await seeDeliveries(deps, endpoint.id);
  const secretKey = await buildApiKey(db, { ...scope, kind: 'secret' });
  const testKey = await buildApiKey(db, { ...scope, mode: 'test', kind: 'secret' });
  const publicKey = await buildApiKey(db, { ...scope, kind: 'public' });

  const owner = app.client.as(members.tokens.owner, mode);
  const invite = await owner.post<{ id: string }>(`/api/v1/programs/${program.id}/invites`, {
    email: `${marker.toLowerCase()}@invite.example`,
  });
  const group = await owner.post<{ id: string }>(`/api/v1/programs/${program.id}/groups`, {
    name: marker,
  });
  const programImport = await owner.post<{ id: string }>(`/api/v1/programs/${program.id}/imports`, {
    source: 'csv',
    cutover: '2026-01-01T00:00:00.000Z',
  });
  const stripeEventId = await receiveStripeEvent(app, members.tokens.owner, mode);
  const billerEventId = await receivePaddleEvent(app, members.tokens.owner, mode);
  const suppressionId = await suppress(app, members.emails.viewer);

  const about = { program_id: program.id, participant_id: participant.id };
  await happen(deps, scope, { type: 'commission.refunded', object: about });
  const memberNotice = await noticeOf(app, workspaceId);
  const partnerNotice = await noticeOf(app, participant.partnerId);

  const batchId = newId();
  await execute(
    deps.db.manager,
    `INSERT INTO payout_batches (id, workspace_id, mode, payout_id, provider, client_id, sender_batch_id,
       currency, item_count, amount_cents, status, created_at)
     VALUES ($1, $2, $3, $4, 'paypal', 'client', $1::uuid::text, 'usd', 1, 1, 'ended', now())`,
    [batchId, workspaceId, mode, payout.id],
  );

  const ids: [RegExp, string][] = [
    [/partner\/notifications\/:notificationId$/, partnerNotice],
    [/notifications\/:notificationId$/, memberNotice],
    [/partners\/:participantId$/, participant.id],
    [/commissions\/:commissionId$/, commission.id],
    [/fraud-flags\/:flagId$/, flag.id],
    [/clicks\/:clickId$/, click.id],
    [/:conversionId$/, conversion.id],
    [/customers\/:customerId$/, customerId],
    [/invites\/:inviteId$/, invite.body.id],
    [/groups\/:groupId$/, group.body.id],
    [/links\/:linkId$/, link.id],
    [/promo-codes\/:code$/, promoCode.code],
    [/payouts\/:id$/, payout.id],
    [/imports\/:importId$/, programImport.body.id],
    [/files\/:kind$/, 'partners'],
    [/export\/:kind$/, 'partners'],
    [/files\/:format$/, 'generic'],
    [/payout-providers\/:provider$/, 'paypal'],
    [/billers\/:biller$/, 'paddle'],
    [/batches\/:batchId$/, batchId],
    [/items\/:itemId$/, payout.items[0]?.id ?? ''],
    [/webhooks\/:id$/, endpoint.id],
    [/deliveries\/:deliveryId$/, delivery?.id ?? ''],
    [/stripe\/events\/:eventId$/, stripeEventId],
    [/:biller\/events\/:eventId$/, billerEventId],
    [/v1\/events\/:id$/, `evt_${eventId}`],
    [/api-keys\/:apiKeyId$/, secretKey.id],
    [/members\/:memberId$/, members.ids.viewer],
    [/merchant\/sessions\/:sessionId$/, members.sessions.owner],
    [/partner\/sessions\/:sessionId$/, sessionId],
    [/suppressed-addresses\/:suppressionId$/, suppressionId],
    [/notification-log\/:entryId$/, invite.body.id],
    [/:programId$/, program.id],
  ];
  const identifying = [
    marker,
    partner.email,
    program.id,
    participant.id,
    commission.id,
    workspaceId,
  ];

  return {
    workspaceId,
    programId: program.id,
    owner: { token: members.tokens.owner },
    partner: { token: partnerToken },
    members: members.tokens,
    keys: { public: publicKey.key, secret: secretKey.key, testSecret: testKey.key },
    id(name, path) {
      const upTo = path.slice(0, path.indexOf(`:${name}`) + name.length + 1);
      const found = ids.find(([pattern]) => pattern.test(upTo));
      if (!found) throw new Error(`the world has nothing for ${upTo}`);
      return found[1];
    },
    secretsIn: (text) => identifying.filter((secret) => text.includes(secret)),
    fingerprint: () => fingerprint(app, workspaceId),
  };
}

async function signInMembers({ deps }: TestApp, workspaceId: string, name: string) {
  const roles = ['viewer', 'member', 'admin', 'owner'] as const;
  const built = await Promise.all(
    roles.map(async (role) => {
      const account = await buildMember(deps.db.manager, { workspaceId, role, name });
      return [role, { account, ...(await signIn(deps, account)) }] as const;
    }),
  );
  const pick = <T>(read: (entry: (typeof built)[number][1]) => T): Record<Role, T> =>
    Object.fromEntries(built.map(([role, entry]) => [role, read(entry)])) as Record<Role, T>;
  return {
    tokens: pick(({ accessToken }) => accessToken),
    ids: pick(({ account }) => account.id),
    emails: pick(({ account }) => account.email),
    sessions: pick(({ sessionId }) => sessionId),
  };
}

async function receiveStripeEvent(app: TestApp, token: string, mode: Mode): Promise<string> {
  const owner = app.client.as(token, mode);
  const { body } = await owner.put<{ url: string }>('/api/v1/workspace/stripe', { webhookSecret });
  const payload = JSON.stringify({
    id: `evt_${newId()}`,
    object: 'event',
    type: 'customer.created',
    livemode: mode === 'live',
    data: { object: { id: 'cus_1', object: 'customer' } },
  });
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
  await app.client.post(new URL(body.url).pathname, payload, {
    headers: { 'Stripe-Signature': header },
  });
  const events = await owner.get<{ data: { id: string }[] }>('/api/v1/workspace/stripe/events');
  return events.body.data[0]?.id ?? '';
}

async function receivePaddleEvent(app: TestApp, token: string, mode: Mode): Promise<string> {
  const owner = app.client.as(token, mode);
  const path = '/api/v1/workspace/billers/paddle';
  const { body } = await owner.put<{ url: string }>(path, { webhookSecret: paddleSecret });
  const payload = JSON.stringify({
    event_id: `evt_${newId()}`,
    event_type: 'address.created',
    occurred_at: app.deps.clock.now().toISOString(),
    data: { id: 'add_1' },
  });
  await app.client.post(new URL(body.url).pathname, payload, {
    headers: { 'Paddle-Signature': paddleSignature(payload) },
  });
  const events = await owner.get<{ data: { id: string }[] }>(`${path}/events`);
  return events.body.data[0]?.id ?? '';
}

async function suppress({ deps }: TestApp, email: string): Promise<string> {
  const id = newId();
  await execute(
    deps.db.manager,
    `INSERT INTO suppressed_addresses (id, email_hash, reason, created_at)
     VALUES ($1, $2, 'bounced', now())`,
    [id, deps.vault.contactHash(email)],
  );
  return id;
}

async function noticeOf({ deps }: TestApp, feedId: string): Promise<string> {
  const [row] = await query<{ id: string }>(
    deps.db.manager,
    'SELECT id FROM notifications WHERE feed_id = $1 ORDER BY seq DESC LIMIT 1',
    [feedId],
  );
  return row?.id ?? '';
}

/** Audit rows and times of last use may change; nothing else of a workspace may. */
async function fingerprint({ deps }: TestApp, workspaceId: string): Promise<string> {
  const db = deps.db.manager;
  // Partitions are read with their tables.
  const tables = await query<{ name: string }>(
    db,
    `SELECT c.relname AS name FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT c.relispartition
        AND c.relname NOT IN ('audit_log', 'idempotency_keys', 'sessions', 'api_keys')
      ORDER BY 1`,
  );
  const digests = tables.map(
    ({ name }) => `
      SELECT '${name}' AS name, md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest
        FROM "${name}" t WHERE t.workspace_id = $1`,
  );
  const rows = await prepared<{ name: string; digest: string | null }>(db, {
    name: 'fingerprint',
    text: digests.join(' UNION ALL '),
    values: [workspaceId],
  });
  return rows.map(({ name, digest }) => `${name}:${digest ?? ''}`).join('\n');
}
