import Stripe from 'stripe';
import { Webhook } from 'standardwebhooks';
import { findAccount } from '../../../activities/accounts/accounts';
import { issueEmailToken } from '../../../activities/accounts/email-tokens';
import { unsubscribeUrl } from '../../../activities/mail/unsubscribe';
import { execute, queryOne } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import type { Side } from '../../../entities/rules/accounts/accounts';
import type { ParticipantStatus } from '../../../entities/rules/partners/participant-status';
import type { Caller } from '../api-client';
import type { TestApp } from '../app';
import {
  buildApiKey,
  buildMember,
  buildPartner,
  signIn,
  testPassword as password,
} from '../build/accounts';
import { buildClick } from '../build/clicks';
import { buildCommission, buildPayout } from '../build/commissions';
import { buildConversion } from '../build/conversions';
import { happen } from '../build/notifications';
import { buildLink, buildParticipant, buildProgram, buildPromoCode } from '../build/programs';
import { buildEndpoint, buildEvent, seeDeliveries } from '../build/webhooks';

/** One request on things of its own; what the path names is filled in from `ids`. */
export interface Prepared {
  by?: Caller;
  ids?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export type Setup = (app: TestApp) => Promise<Prepared>;

export const emailWebhookSecret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const stripeSecret = 'whsec_0123456789abcdef0123456789abcdef';
const reason = { reason: 'A reason' };
const text = (): string => newId().slice(-12);
const email = (): string => `${text()}@example.com`;

async function merchant(app: TestApp) {
  const account = await buildMember(app.deps.db.manager);
  const session = await signIn(app.deps, account);
  const scope = { workspaceId: account.workspaceId, mode: 'test' as const };
  return { account, session, scope, by: app.client.as(session.accessToken, 'test') };
}

async function partner(app: TestApp) {
  const account = await buildPartner(app.deps.db.manager);
  const session = await signIn(app.deps, account);
  return { account, session, by: app.client.as(session.accessToken, 'test') };
}

type ProgramWorld = Awaited<ReturnType<typeof ownProgram>>;
const shared = new WeakMap<TestApp, Promise<ProgramWorld>>();

/** The same for all requests that leave it as it is. */
async function program(app: TestApp): Promise<ProgramWorld> {
  const known = shared.get(app) ?? ownProgram(app);
  shared.set(app, known);
  return known;
}

async function ownProgram(app: TestApp, status: ParticipantStatus = 'approved') {
  const db = app.deps.db.manager;
  const owner = await merchant(app);
  const made = await buildProgram(db, owner.scope);
  const member = await partner(app);
  const participant = await buildParticipant(db, {
    program: made,
    partnerId: member.account.id,
    partnerEmail: member.account.email,
    status,
  });
  const ids = { programId: made.id, participantId: participant.id };
  return { ...owner, made, participant, member, ids };
}

const inProgram =
  (body?: unknown, status?: ParticipantStatus): Setup =>
  async (app) => {
    const { by, ids } = await ownProgram(app, status);
    return { by, ids, body };
  };

const pending =
  (createdAt: () => Date) =>
  (bodyOf: (id: string) => unknown = () => undefined): Setup =>
  async (app) => {
    const { by, ids, made, participant } = await program(app);
    const overrides = { program: made, participant, createdAt: createdAt() };
    const { id } = await buildCommission(app.deps.db.manager, overrides);
    return { by, ids: { ...ids, commissionId: id }, body: bodyOf(id) };
  };

/** Its hold is over, or has just begun. */
const commission = pending(() => new Date('2026-01-01'));
const held = pending(() => new Date());

const payout: Setup = async (app) => {
  const { by, made, participant } = await program(app);
  const overrides = { program: made, participant, status: 'approved' as const };
  const earned = await buildCommission(app.deps.db.manager, overrides);
  return { by, ids: { id: (await buildPayout(app.deps.db.manager, [earned])).id } };
};

const signedInMerchant =
  (bodyOf: () => unknown = () => undefined): Setup =>
  async (app) => ({ by: (await merchant(app)).by, body: bodyOf() });
const signedInPartner =
  (bodyOf: () => unknown = () => undefined): Setup =>
  async (app) => ({ by: (await partner(app)).by, body: bodyOf() });

const accountOf = (app: TestApp, side: Side, verifiedAt: Date | null = new Date()) => {
  const build = side === 'merchant' ? buildMember : buildPartner;
  return build(app.deps.db.manager, { verifiedAt });
};

const login =
  (side: Side): Setup =>
  async (app) => ({ body: { email: (await accountOf(app, side)).email, password } });
const session =
  (side: Side): Setup =>
  async (app) => {
    const { refreshToken } = await signIn(app.deps, await accountOf(app, side));
    return { body: { refreshToken } };
  };
const forgot =
  (side: Side): Setup =>
  async (app) => ({ body: { email: (await accountOf(app, side)).email } });

const token = async (app: TestApp, side: Side, purpose: 'verify' | 'reset'): Promise<string> => {
  const { db, vault } = { db: app.deps.db.manager, vault: app.deps.vault };
  const { id } = await accountOf(app, side, null);
  const account = await findAccount(db, side, { id });
  if (!account) throw new Error('there is no account');
  const now = new Date();
  const mail = { id: newId(), purpose, account, requestedAt: now };
  return String(await issueEmailToken({ db, vault }, { now }, mail));
};
const reset =
  (side: Side): Setup =>
  async (app) => ({ body: { token: await token(app, side, 'reset'), password: `${password} 2` } });

const resend =
  (side: Side): Setup =>
  async (app) => {
    const { accessToken } = await signIn(app.deps, await accountOf(app, side, null));
    return { by: app.client.as(accessToken, 'test') };
  };

const endSession =
  (side: Side): Setup =>
  async (app) => {
    const account = await accountOf(app, side);
    const { accessToken } = await signIn(app.deps, account);
    const { sessionId } = await signIn(app.deps, account);
    return { by: app.client.as(accessToken, 'test'), ids: { sessionId } };
  };

const keyed = async (app: TestApp, kind: 'secret' | 'public') => {
  const world = await program(app);
  const { key } = await buildApiKey(app.deps.db.manager, { ...world.scope, kind });
  return { ...world, by: app.client.as(key) };
};

const memberOf =
  (body?: unknown): Setup =>
  async (app) => {
    const { by, scope } = await merchant(app);
    const { id } = await buildMember(app.deps.db.manager, { ...scope, role: 'member' });
    return { by, ids: { memberId: id }, body };
  };

const stripe = async (app: TestApp) => {
  const { by } = await merchant(app);
  const put = await by.put<{ url: string }>('/api/v1/workspace/stripe', {
    webhookSecret: stripeSecret,
  });
  return { by, connectionId: new URL(put.body.url).pathname.split('/').at(-1) ?? '' };
};
const stripeEvent = (livemode: boolean): { body: string; headers: Record<string, string> } => {
  const payload = JSON.stringify({
    id: `evt_${newId()}`,
    object: 'event',
    type: 'customer.created',
    livemode,
    data: { object: { id: 'cus_1', object: 'customer' } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: stripeSecret });
  return { body: payload, headers: { 'Stripe-Signature': signature } };
};

const invite = async (app: TestApp, address = email()) => {
  const world = await program(app);
  const path = `/api/v1/programs/${world.made.id}/invites`;
  const { body } = await world.by.post<{ id: string; inviteUrl: string }>(path, { email: address });
  const [, inviteToken] = body.inviteUrl.split('token=');
  return { ...world, ids: { ...world.ids, inviteId: body.id }, inviteToken };
};

const endpoint =
  (body?: unknown, status = 'pending'): Setup =>
  async (app) => {
    const { by, scope } = await merchant(app);
    const { id } = await buildEndpoint(app.deps, scope);
    await buildEvent(app.deps, scope);
    await execute(
      app.deps.db.manager,
      'UPDATE webhook_deliveries SET status = $2 WHERE endpoint_id = $1',
      [id, status],
    );
    const [delivery] = await seeDeliveries(app.deps, id);
    return { by, ids: { id, deliveryId: delivery?.id ?? '' }, body };
  };

const notice =
  (side: Side, isRead = false): Setup =>
  async (app) => {
    // Of its own: what others left unread would be read along with it.
    const { by, scope, member, ids } = await ownProgram(app);
    const about = { program_id: ids.programId, participant_id: ids.participantId };
    await happen(app.deps, scope, { type: 'commission.refunded', object: about });
    const feedId = side === 'merchant' ? scope.workspaceId : member.account.id;
    const found = await queryOne<{ id: string }>(
      app.deps.db.manager,
      'SELECT id FROM notifications WHERE feed_id = $1 ORDER BY seq DESC LIMIT 1',
      [feedId],
    );
    const caller = side === 'merchant' ? by : member.by;
    const feed = side === 'merchant' ? 'notifications' : 'partner/notifications';
    if (isRead) await caller.post(`/api/v1/${feed}/read-all`);
    return { by: caller, ids: { notificationId: found?.id ?? '' } };
  };

const preferences = { preferences: [{ category: 'payouts', email: false }] };

/** A request for each operation that changes something, by operationId. */
export const changingRequests: Record<string, Setup> = {
  recordClick: async (app) => {
    const { by, participant } = await keyed(app, 'public');
    return { by, body: { ref: participant.referralCode } };
  },
  expireClick: async (app) => {
    const { by, participant } = await keyed(app, 'secret');
    const { id } = await buildClick(app.deps.db.manager, { participant });
    return { by, ids: { clickId: id } };
  },
  reportConversion: async (app) => {
    const { by, participant } = await keyed(app, 'secret');
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    const sale = { external_transaction_id: newId(), event_type: 'purchase', promo_code: code };
    return { by, body: { ...sale, amount_cents: 5_000, currency: 'usd' } };
  },
  refundConversion: async (app) => {
    const { by, participant } = await keyed(app, 'secret');
    const { id } = await buildConversion(app.deps.db.manager, { participant });
    const body = { external_refund_id: newId(), amount_cents: 1 };
    return { by, ids: { conversionId: id }, body };
  },
  updateFraudRules: inProgram({
    rules: [{ rule: 'same_ip_as_partner', action: 'reject', threshold: null }],
  }),
  registerMerchant: () =>
    Promise.resolve({ body: { email: email(), password, name: 'A', workspaceName: 'B' } }),
  registerPartner: () => Promise.resolve({ body: { email: email(), password, name: 'A' } }),
  acceptMemberInvite: async (app) => {
    const { by } = await merchant(app);
    const sent = { email: email(), role: 'viewer' };
    const { body } = await by.post<{ inviteUrl: string }>('/api/v1/workspace/members', sent);
    return { body: { token: body.inviteUrl.split('token=')[1], name: 'New', password } };
  },
  loginMerchant: login('merchant'),
  loginPartner: login('partner'),
  refreshMerchant: session('merchant'),
  refreshPartner: session('partner'),
  logoutMerchant: session('merchant'),
  logoutPartner: session('partner'),
  forgotPasswordMerchant: forgot('merchant'),
  forgotPasswordPartner: forgot('partner'),
  resetPasswordMerchant: reset('merchant'),
  resetPasswordPartner: reset('partner'),
  verifyEmail: async (app) => ({ body: { token: await token(app, 'partner', 'verify') } }),
  updateMerchantAccount: signedInMerchant(() => ({ name: text() })),
  changeEmailMerchant: signedInMerchant(() => ({ email: email(), password })),
  changeEmailPartner: signedInPartner(() => ({ email: email(), password })),
  changePasswordMerchant: signedInMerchant(() => ({
    currentPassword: password,
    newPassword: `${password} 2`,
  })),
  changePasswordPartner: signedInPartner(() => ({
    currentPassword: password,
    newPassword: `${password} 2`,
  })),
  endSessionMerchant: endSession('merchant'),
  endSessionPartner: endSession('partner'),
  resendVerificationMerchant: resend('merchant'),
  resendVerificationPartner: resend('partner'),
  updateWorkspace: signedInMerchant(() => ({ name: text() })),
  createApiKey: signedInMerchant(() => ({ kind: 'secret', mode: 'test' })),
  revokeApiKey: async (app) => {
    const { by, scope } = await merchant(app);
    return { by, ids: { apiKeyId: (await buildApiKey(app.deps.db.manager, scope)).id } };
  },
  inviteMember: signedInMerchant(() => ({ email: email(), role: 'viewer' })),
  changeMemberRole: memberOf({ role: 'viewer' }),
  removeMember: memberOf(),
  liftSuppressedAddress: async (app) => {
    const { by, account } = await merchant(app);
    const suppressionId = newId();
    await execute(
      app.deps.db.manager,
      `INSERT INTO suppressed_addresses (id, email_hash, email, reason, created_at)
       VALUES ($1, $2, $3, 'bounced', now())`,
      [suppressionId, app.deps.vault.contactHash(account.email), account.email],
    );
    return { by, ids: { suppressionId } };
  },
  resetTestData: signedInMerchant(),
  updatePartnerAccount: signedInPartner(() => ({ name: text() })),
  receiveEmailProviderEvent: () => {
    const id = newId();
    const at = new Date();
    const to = [email()];
    const data = { email_id: newId(), to, bounce: { type: 'Permanent' } };
    const body = JSON.stringify({ type: 'email.bounced', created_at: at.toISOString(), data });
    const signature = new Webhook(emailWebhookSecret).sign(id, at, body);
    const timestamp = String(Math.floor(at.getTime() / 1_000));
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    };
    return Promise.resolve({ body, headers });
  },
  receiveStripeEvent: async (app) => {
    const { connectionId } = await stripe(app);
    return { ids: { connectionId }, ...stripeEvent(false) };
  },
  // The connection's row and path are there before, as from the first look at it.
  putStripeConnection: async (app) => {
    const { by } = await stripe(app);
    return { by, body: { webhookSecret: `${stripeSecret}0` } };
  },
  deleteStripeConnection: async (app) => ({ by: (await stripe(app)).by }),
  replayStripeEvent: async (app) => {
    const { by, connectionId } = await stripe(app);
    const { body, headers } = stripeEvent(true);
    await app.client.post(`/webhooks/stripe/${connectionId}`, body, { headers });
    const list = await by.get<{ data: { id: string }[] }>('/api/v1/workspace/stripe/events');
    return { by, ids: { eventId: list.body.data[0]?.id ?? '' } };
  },
  unsubscribe: async (app) => {
    const { id } = await accountOf(app, 'partner');
    const subscription = { side: 'partner', accountId: id, category: 'payouts' } as const;
    return { query: new URL(unsubscribeUrl(app.deps, subscription)).search, body: {} };
  },
  createProgram: signedInMerchant(() => ({
    name: text(),
    websiteUrl: 'https://shop.example',
    commission: { type: 'flat', amountCents: 5 },
  })),
  updateProgram: inProgram({ name: 'Changed' }),
  archiveProgram: inProgram(),
  replaceCommissionRules: inProgram({
    rules: [{ name: 'One', match: {}, type: 'flat', amountCents: 5 }],
  }),
  approveParticipant: inProgram(undefined, 'pending'),
  rejectParticipant: inProgram(reason, 'pending'),
  suspendParticipant: inProgram(reason),
  reinstateParticipant: inProgram(undefined, 'suspended'),
  addPromoCode: async (app) => {
    const { by, ids } = await program(app);
    return { by, ids, body: { code: `C${text()}` } };
  },
  removePromoCode: async (app) => {
    const { by, ids, participant } = await program(app);
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    return { by, ids: { ...ids, code } };
  },
  changeReferralCode: async (app) => {
    const { by, ids } = await program(app);
    return { by, ids, body: { referralCode: `r${text()}` } };
  },
  invitePartner: async (app) => {
    const { by, ids } = await program(app);
    return { by, ids, body: { email: email() } };
  },
  resendPartnerInvite: async (app) => invite(app),
  deletePartnerInvite: async (app) => invite(app),
  acceptPartnerInvite: async (app) => {
    const { account, by } = await partner(app);
    const { inviteToken } = await invite(app, account.email);
    return { by, body: { token: inviteToken } };
  },
  applyToProgram: async (app) => {
    const { ids } = await program(app);
    return { by: (await partner(app)).by, ids, body: {} };
  },
  createPartnerLink: async (app) => {
    const { member, ids, made } = await program(app);
    return { by: member.by, ids, body: { targetUrl: `${made.websiteUrl}/${text()}` } };
  },
  deletePartnerLink: async (app) => {
    const { member, ids, participant } = await program(app);
    const { id } = await buildLink(app.deps.db.manager, participant);
    return { by: member.by, ids: { ...ids, linkId: id } };
  },
  bulkApproveCommissions: commission((id) => ({ commissionIds: [id] })),
  bulkRejectCommissions: commission((id) => ({ commissionIds: [id], ...reason })),
  approveCommission: commission(),
  approveCommissionOverride: held(() => reason),
  rejectCommission: commission(() => reason),
  elapseCommissionHold: held(),
  createPayout: async (app) => {
    const { by, made, participant } = await ownProgram(app);
    const overrides = { program: made, participant, status: 'approved' as const };
    await buildCommission(app.deps.db.manager, overrides);
    return { by, body: { programId: made.id } };
  },
  completePayout: payout,
  cancelPayout: payout,
  erasePartnerAccount: signedInPartner(() => ({ confirmation: 'DELETE' })),
  eraseParticipant: inProgram({ confirmation: 'DELETE' }),
  erasePartnerInvites: async (app) => {
    const address = email();
    const { by } = await invite(app, address);
    return { by, body: { partnerEmail: address, partnerGpaId: newId() } };
  },
  createWebhook: signedInMerchant(() => ({
    url: `http://127.0.0.1:65000/${text()}`,
    events: ['commission.approved'],
  })),
  deleteWebhook: endpoint(),
  updateWebhook: endpoint({ description: 'Changed' }),
  rotateWebhookSecret: endpoint({}),
  retryDeadLetters: endpoint({}, 'dead_letter'),
  retryWebhookDelivery: endpoint(undefined, 'dead_letter'),
  replayWebhookDelivery: endpoint(undefined, 'succeeded'),
  updateMerchantNotificationPreferences: signedInMerchant(() => preferences),
  updatePartnerNotificationPreferences: signedInPartner(() => preferences),
  readAllMerchantNotifications: notice('merchant'),
  readAllPartnerNotifications: notice('partner'),
  readMerchantNotification: notice('merchant'),
  readPartnerNotification: notice('partner'),
  dismissMerchantNotification: notice('merchant'),
  dismissPartnerNotification: notice('partner'),
  dismissReadMerchantNotifications: notice('merchant', true),
  dismissReadPartnerNotifications: notice('partner', true),
  joinWaitlist: () => Promise.resolve({ body: { email: email(), elapsedMs: 5_000 } }),
};

/** What changes nothing, or nothing in Postgres, though its method says otherwise. */
export const unchanging: Record<string, string> = {
  dryRunConversion: 'only reads',
  backTestFraudRules: 'only reads',
  exportParticipant: 'only reads',
  exportPartnerAccount: 'only reads',
  pingWebhook: 'only reads, and posts to the receiver',
  createMerchantStreamTicket: 'a signed text, kept nowhere',
  createPartnerStreamTicket: 'a signed text, kept nowhere',
};
