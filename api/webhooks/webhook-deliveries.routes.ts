import { commandContextOf } from '../../activities/journal/cause';
import { beginRequeue, replayDelivery, retryDelivery } from '../../activities/webhooks/deliveries';
import type { Deps } from '../../runtime/process/deps';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage } from '../http/contract/pagination';
import {
  DeliveryDetailDto,
  DeliveryDto,
  DeliveryFilter,
  RequeuedDto,
  RetryDeadLettersBody,
  presentDelivery,
  presentDeliveryDetail,
} from './webhook-deliveries.dto';
import { getDelivery, listDeliveries } from './webhook-deliveries.queries';
import { getWebhook } from './webhooks.queries';
import { exampleOf } from '../http/contract/example';

const route = routesOf('Webhooks');
const path = '/api/v1/webhooks/:id/deliveries';
const params = { id: 'WEBHOOK_NOT_FOUND', deliveryId: 'WEBHOOK_DELIVERY_NOT_FOUND' } as const;
const queued = {
  202: { type: DeliveryDto, example: exampleOf(DeliveryDto, { status: 'pending' }) },
};

/**
 * Deliveries of a webhook endpoint: read, retry, replay (docs/reference/webhooks.md, Retry and
 * replay).
 */
export const webhookDeliveryRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'listWebhookDeliveries',
      summary: 'List the deliveries of an endpoint',
      description: 'Newest first, without payloads. Kept for 30 days.',
      auth: merchant('viewer'),
      params: { id: 'WEBHOOK_NOT_FOUND' },
      query: DeliveryFilter,
      responses: pageAnswer(DeliveryDto),
    },
    async (ctx) => {
      const { breakerFailures } = timingOf(ctx);
      const { id: endpointId } = await getWebhook(ctx.db, ctx.scope, ctx.input.params.id);
      const view = { endpointId, breakerFailures };
      const found = await listDeliveries(ctx.db, view, ctx.input.query);
      ctx.body = toPage(ctx, found, presentDelivery);
    },
  ),

  route.get(
    `${path}/:deliveryId`,
    {
      name: 'getWebhookDelivery',
      summary: 'Read a delivery with its payload, the last answer and all attempts',
      description: 'The payload is there as long as the event is kept, 30 days.',
      auth: merchant('viewer'),
      params,
      responses: { 200: { type: DeliveryDetailDto } },
    },
    async (ctx) => {
      const { breakerFailures } = timingOf(ctx);
      const { id: endpointId } = await getWebhook(ctx.db, ctx.scope, ctx.input.params.id);
      const { deliveryId } = ctx.input.params;
      const detail = await getDelivery(ctx.db, { endpointId, breakerFailures, deliveryId });
      ctx.body = presentDeliveryDetail(detail);
    },
  ),

  route.post(
    `${path}/retry-dead-letters`,
    {
      name: 'retryDeadLetters',
      summary: 'Queue all dead letters of an endpoint again',
      description: 'All of them, or those since an instant; they are sent a part at a time.',
      auth: merchant('admin'),
      params: { id: 'WEBHOOK_NOT_FOUND' },
      body: RetryDeadLettersBody,
      bodyOptional: true,
      responses: { 202: { type: RequeuedDto } },
      errors: ['WEBHOOK_DEACTIVATED'],
    },
    async (ctx) => {
      const { firstDelayMs } = timingOf(ctx);
      const { since } = ctx.input.body;
      const queued = await beginRequeue(ctx.db, commandContextOf(ctx), {
        endpointId: ctx.input.params.id,
        since: since === undefined ? null : new Date(since),
        firstDelayMs,
      });
      ctx.status = 202;
      ctx.body = { queued } satisfies RequeuedDto;
    },
  ),

  route.post(
    `${path}/:deliveryId/retry`,
    {
      name: 'retryWebhookDelivery',
      summary: 'Queue a dead letter again',
      description:
        'The same delivery: its attempts count on, its schedule starts again. Of several requests at once one gets 202.',
      auth: merchant('admin'),
      params,
      responses: queued,
      errors: ['WEBHOOK_DELIVERY_NOT_DEAD_LETTER', 'WEBHOOK_DEACTIVATED'],
    },
    async (ctx) => {
      const { breakerFailures, firstDelayMs } = timingOf(ctx);
      const { id: endpointId, deliveryId } = ctx.input.params;
      const command = { endpointId, deliveryId, firstDelayMs };
      await retryDelivery(ctx.db, commandContextOf(ctx), command);
      const detail = await getDelivery(ctx.db, { endpointId, breakerFailures, deliveryId });
      ctx.status = 202;
      ctx.body = presentDelivery(detail.delivery);
    },
  ),

  route.post(
    `${path}/:deliveryId/replay`,
    {
      name: 'replayWebhookDelivery',
      summary: 'Send the event of a delivery again',
      description: 'As a new delivery of the same event, whatever became of the old one.',
      auth: merchant('admin'),
      params,
      responses: queued,
      errors: ['WEBHOOK_DEACTIVATED'],
    },
    async (ctx) => {
      const { breakerFailures, firstDelayMs } = timingOf(ctx);
      const { id: endpointId, deliveryId } = ctx.input.params;
      const command = { endpointId, deliveryId, firstDelayMs };
      const newId = await replayDelivery(ctx.db, commandContextOf(ctx), command);
      const view = { endpointId, breakerFailures, deliveryId: newId };
      const { delivery } = await getDelivery(ctx.db, view);
      ctx.status = 202;
      ctx.body = presentDelivery(delivery);
    },
  ),
];

interface Timing {
  breakerFailures: number;
  firstDelayMs: number;
}

function timingOf({ deps }: { deps: Pick<Deps, 'config'> }): Timing {
  const { breakerFailures, retrySchedule } = deps.config.webhooks;
  return { breakerFailures, firstDelayMs: retrySchedule[0] ?? 0 };
}
