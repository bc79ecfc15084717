import { commandContextOf } from '../../activities/journal/cause';
import { connectBiller, disconnectBiller } from '../../activities/billing/connection/connect';
import { replayEvent } from '../../activities/billing/events/receive';
import { EmptyDto } from '../auth/auth.dto';
import { merchant } from '../http/contract/credential';
import { present } from '../http/contract/present';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { PutStripeConnectionBody, StripeConnectionDto, StripeEventDto } from './stripe.dto';
import { listStripeEvents } from '../billers/billers.queries';
import { BillerEventFilter } from '../billers/connection.dto';
import { readConnection } from '../billers/read-connection';

const route = routesOf('Stripe');
const path = '/api/v1/workspace/stripe';

const responses = { 200: { type: StripeConnectionDto } };

/** The workspace's connection to Stripe, one per mode, and the events that came over it. */
export const stripeRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'getStripeConnection',
      summary: 'Read the connection to Stripe',
      description:
        'Of the mode of X-Mode. Its url is there before any key is. Secrets are never shown.',
      auth: merchant('viewer'),
      responses,
    },
    async (ctx) => {
      ctx.body = present(StripeConnectionDto, await readConnection(ctx, 'stripe'));
    },
  ),

  route.put(
    path,
    {
      name: 'putStripeConnection',
      summary: 'Connect to Stripe',
      description:
        'A field left out stays as it is. A key is tried at Stripe first: STRIPE_KEY_REJECTED names the permission that it lacks, and nothing changes. It needs to read charges, balance transactions, payment intents, invoices, checkout sessions and promotion codes; to write webhook endpoints when no webhookSecret is given, for then our endpoint is registered and its secret used. What waits is taken up with a new key; with a first key that may read events, what Stripe sent nobody since the connection was made is taken in, too. An endpoint that you register yourself needs the kinds of events that the reference of payments lists; missingKinds names what does not come. Sales by PaymentIntents need metadata.aff_click_id.',
      auth: merchant('admin'),
      body: PutStripeConnectionBody,
      responses,
      errors: ['STRIPE_KEY_REJECTED', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    },
    async (ctx) => {
      const { restrictedKey: key, webhookSecret } = ctx.input.body;
      await connectBiller(ctx.deps, commandContextOf(ctx), {
        biller: 'stripe',
        key,
        webhookSecret,
      });
      ctx.body = present(StripeConnectionDto, await readConnection(ctx, 'stripe'));
    },
  ),

  route.delete(
    path,
    {
      name: 'deleteStripeConnection',
      summary: 'Disconnect from Stripe',
      description:
        'The connection and its secrets are gone, its url answers 404, and an endpoint that we registered at Stripe is removed there. What its events caused stays.',
      auth: merchant('admin'),
      responses: { 204: {} },
      errors: ['SERVICE_UNAVAILABLE'],
    },
    async (ctx) => {
      await disconnectBiller(ctx.deps, commandContextOf(ctx), 'stripe');
      ctx.status = 204;
    },
  ),

  route.get(
    `${path}/events`,
    {
      name: 'listStripeEvents',
      summary: "List Stripe's events",
      description: 'Newest first. dateFrom and dateTo compare receivedAt.',
      auth: merchant('viewer'),
      query: BillerEventFilter,
      responses: pageAnswer(StripeEventDto),
    },
    async (ctx) => {
      const filter = ctx.input.query;
      const found = await listStripeEvents(ctx.db, ctx.scope, filter);
      ctx.body = toPage(ctx, found, (row) => present(StripeEventDto, row));
    },
  ),

  route.post(
    `${path}/events/:eventId/replay`,
    {
      name: 'replayStripeEvent',
      summary: "Process one of Stripe's events again",
      description: 'Whatever became of it; the effect is the same however often it is processed.',
      auth: merchant('admin'),
      params: { eventId: 'NOT_FOUND' },
      responses: { 202: { type: EmptyDto } },
      errors: ['STRIPE_EVENT_RUNNING'],
    },
    async (ctx) => {
      const id = ctx.input.params.eventId;
      await replayEvent(ctx.db, commandContextOf(ctx), { id, biller: 'stripe' });
      ctx.status = 202;
      ctx.body = {};
    },
  ),
];
