import { Webhook } from 'standardwebhooks';
import { unsubscribeUrl } from '../../../../activities/mail/unsubscribe';
import { execute, queryOne } from '../../../../entities/database/sql';
import { newId } from '../../../../entities/ids';
import type { Side } from '../../../../entities/rules/accounts/accounts';
import { happen } from '../../build/notifications';
import { buildEndpoint, buildEvent, seeDeliveries } from '../../build/webhooks';
import {
  type Setup,
  text,
  email,
  merchant,
  ownProgram,
  signedInMerchant,
  signedInPartner,
  accountOf,
} from './worlds';

export const emailWebhookSecret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

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
    // An account of its own: what others left unread would be read along with it.
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

/** Webhooks, mails and notifications. */
export const messageRequests: Record<string, Setup> = {
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
  unsubscribe: async (app) => {
    const { id } = await accountOf(app, 'partner');
    const subscription = { side: 'partner', accountId: id, category: 'payouts' } as const;
    return { query: new URL(unsubscribeUrl(app.deps, subscription)).search, body: {} };
  },
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
};
