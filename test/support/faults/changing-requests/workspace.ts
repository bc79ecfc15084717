import Stripe from 'stripe';
import { execute } from '../../../../entities/database/sql';
import { newId } from '../../../../entities/ids';
import type { TestApp } from '../../app';
import { buildApiKey, buildMember, testPassword as password } from '../../build/accounts';
import { paddleSecret, paddleSignature } from '../../billers/paddle';
import { polarHeaders, polarRefund, polarSecret } from '../../billers/polar';
import { type Setup, text, email, merchant, signedInMerchant } from './worlds';

const stripeSecret = 'whsec_0123456789abcdef0123456789abcdef';

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

const paddlePath = '/api/v1/workspace/billers/paddle';
const paddle = async (app: TestApp) => {
  const { by } = await merchant(app);
  const put = await by.put<{ url: string }>(paddlePath, { webhookSecret: paddleSecret });
  const connectionId = new URL(put.body.url).pathname.split('/').at(-1) ?? '';
  return { by, connectionId, biller: 'paddle' };
};
const paddleEvent = (): { body: string; headers: Record<string, string> } => {
  const body = JSON.stringify({
    event_id: `evt_${newId()}`,
    event_type: 'address.created',
    occurred_at: new Date().toISOString(),
    data: { id: 'add_1' },
  });
  return { body, headers: { 'Paddle-Signature': paddleSignature(body) } };
};

/** Members, keys and settings of a workspace, and its billers. */
export const workspaceRequests: Record<string, Setup> = {
  acceptMemberInvite: async (app) => {
    const { by } = await merchant(app);
    const sent = { email: email(), role: 'viewer' };
    const { body } = await by.post<{ inviteUrl: string }>('/api/v1/workspace/members', sent);
    return { body: { token: body.inviteUrl.split('token=')[1], name: 'New', password } };
  },
  updateWorkspace: signedInMerchant(() => ({ name: text() })),
  closeWorkspace: signedInMerchant(() => ({ confirmation: 'DELETE', password })),
  reopenWorkspace: async (app) => {
    const { by, scope } = await merchant(app);
    await execute(
      app.deps.db.manager,
      `UPDATE workspaces SET closes_at = now() + interval '30 days' WHERE id = $1`,
      [scope.workspaceId],
    );
    return { by };
  },
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
      `INSERT INTO suppressed_addresses (id, email_hash, reason, created_at)
       VALUES ($1, $2, 'bounced', now())`,
      [suppressionId, app.deps.vault.contactHash(account.email)],
    );
    return { by, ids: { suppressionId } };
  },
  resetTestData: signedInMerchant(),
  // The connection's row and path are there before, as from the first look at it.
  putStripeConnection: async (app) => {
    const { by } = await stripe(app);
    return { by, body: { webhookSecret: `${stripeSecret}0` } };
  },
  deleteStripeConnection: async (app) => ({ by: (await stripe(app)).by }),
  receiveStripeEvent: async (app) => {
    const { connectionId } = await stripe(app);
    return { ids: { connectionId }, ...stripeEvent(false) };
  },
  replayStripeEvent: async (app) => {
    const { by, connectionId } = await stripe(app);
    const { body, headers } = stripeEvent(true);
    await app.client.post(`/webhooks/stripe/${connectionId}`, body, { headers });
    const list = await by.get<{ data: { id: string }[] }>('/api/v1/workspace/stripe/events');
    return { by, ids: { eventId: list.body.data[0]?.id ?? '' } };
  },
  putBillerConnection: async (app) => {
    const { by, biller } = await paddle(app);
    return { by, ids: { biller }, body: { webhookSecret: `${paddleSecret}0` } };
  },
  deleteBillerConnection: async (app) => {
    const { by, biller } = await paddle(app);
    return { by, ids: { biller } };
  },
  receivePaddleEvent: async (app) => {
    const { connectionId } = await paddle(app);
    return { ids: { connectionId }, ...paddleEvent() };
  },
  replayBillerEvent: async (app) => {
    const { by, connectionId, biller } = await paddle(app);
    const { body, headers } = paddleEvent();
    await app.client.post(`/webhooks/paddle/${connectionId}`, body, { headers });
    const list = await by.get<{ data: { id: string }[] }>(`${paddlePath}/events`);
    const eventId = list.body.data[0]?.id ?? '';
    const { manager } = app.deps.db;
    await execute(manager, `UPDATE stripe_events SET status = 'ignored' WHERE id = $1`, [eventId]);
    return { by, ids: { biller, eventId } };
  },
  receivePolarEvent: async (app) => {
    const { by } = await merchant(app);
    const { body: put } = await by.put<{ url: string }>('/api/v1/workspace/billers/polar', {
      webhookSecret: polarSecret,
    });
    const connectionId = new URL(put.url).pathname.split('/').at(-1) ?? '';
    const event = polarRefund(newId());
    const body = JSON.stringify(event);
    return { ids: { connectionId }, body, headers: polarHeaders(event, body) };
  },
};
