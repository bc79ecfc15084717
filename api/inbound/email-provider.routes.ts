import { causeOf } from '../../activities/journal/cause';
import { isGenuineWebhook } from '../../runtime/crypto/standard-webhook';
import { recordProviderEvent } from '../../activities/suppression/suppression';
import { AppError, validationError } from '../../entities/errors';
import { readProviderEvent, type ProviderNotice } from '../../entities/rules/mail/provider-event';
import { EmptyDto } from '../auth/auth.dto';
import { open } from '../http/contract/credential';
import { decode, maxBytes } from '../http/contract/body/body';
import { routesOf, type Route } from '../http/contract/route';
import { providerEvents } from './provider-event-count';

const route = routesOf('Inbound');

/** Bounces and complaints, as the mail provider reports them. */
export const emailProviderRoutes: Route[] = [
  route.post(
    '/webhooks/emailprovider',
    {
      name: 'receiveEmailProviderEvent',
      summary: 'Receive a bounce or complaint from the mail provider',
      description:
        'Signed as Standard Webhooks describe, with EMAIL_WEBHOOK_SECRET, in headers `webhook-*` or `svix-*`, at most 300 seconds off. Body: {type: "email.bounced" or "email.complained", created_at, data: {email_id, to, bounce?: {type}}}. Hard bounces and complaints suppress the addresses. Unknown types and repeats are 200.',
      auth: open(null),
      raw: maxBytes,
      rawJson: true,
      responses: { 200: { type: EmptyDto } },
      errors: ['INVALID_SIGNATURE'],
    },
    async (ctx) => {
      const { emailWebhookSecret: secret } = ctx.deps.config.secrets;
      const prefix = ctx.get('webhook-id') === '' ? 'svix' : 'webhook';
      const request = {
        id: ctx.get(`${prefix}-id`),
        timestamp: ctx.get(`${prefix}-timestamp`),
        signature: ctx.get(`${prefix}-signature`),
        body: ctx.rawBody,
      };
      const events = providerEvents(ctx.deps.metrics);
      if (!secret || !isGenuineWebhook(secret, request, ctx.now)) {
        events.inc({ outcome: secret ? 'refused' : 'unasked' });
        throw new AppError('INVALID_SIGNATURE');
      }
      const notice = readNotice(ctx.rawBody);
      const event = { messageId: request.id, ...notice };
      await recordProviderEvent({ db: ctx.db, vault: ctx.deps.vault }, causeOf(ctx), event);
      events.inc({ outcome: 'taken' });
      ctx.body = {};
    },
  ),
];

function readNotice(body: Buffer): ProviderNotice {
  const notice = readProviderEvent(parseJson(decode(body)));
  if ('field' in notice) throw validationError(notice.field, notice.message);
  return notice;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationError('body', 'is not valid JSON');
  }
}
