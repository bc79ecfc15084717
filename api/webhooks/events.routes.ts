import { eventEnvelope } from '../../entities/rules/webhooks/envelope';
import { secretKeyOrMerchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { EventFilter } from './events.dto';
import { EventDto } from './event-payloads.dto';
import { getEvent, listEvents } from './events.queries';

const route = routesOf('Webhooks');

/**
 * The log of outbound events, for receivers that were away (docs/reference/webhooks.md, Kinds and
 * envelope).
 */
export const eventRoutes: Route[] = [
  route.get(
    '/api/v1/events',
    {
      name: 'listEvents',
      summary: 'List the events of the last 30 days',
      description:
        'The envelopes as they were sent, newest first, whether or not an endpoint subscribed to them. Takes a secret key (of its mode) or an access token.',
      auth: secretKeyOrMerchant('viewer'),
      query: EventFilter,
      responses: pageAnswer(EventDto),
    },
    async (ctx) => {
      const found = await listEvents(ctx.db, ctx, ctx.input.query);
      ctx.body = toPage(ctx, found, eventEnvelope);
    },
  ),

  route.get(
    '/api/v1/events/:id',
    {
      name: 'getEvent',
      summary: 'Read an event of the last 30 days',
      description: 'As it was posted to your endpoints: the same id, time and object.',
      auth: secretKeyOrMerchant('viewer'),
      params: { id: { text: 'NOT_FOUND' } },
      responses: { 200: { type: EventDto } },
      errors: ['NOT_FOUND'],
    },
    async (ctx) => {
      ctx.body = await getEvent(ctx.db, ctx, ctx.input.params.id);
    },
  ),
];
