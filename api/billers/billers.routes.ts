import { connectBiller, disconnectBiller } from '../../activities/billing/connection/connect';
import { replayEvent } from '../../activities/billing/events/receive';
import { commandContextOf } from '../../activities/journal/cause';
import { AppError } from '../../entities/errors';
import { furtherBillers, type FurtherBiller } from '../../entities/rules/billing/biller';
import { EmptyDto } from '../auth/auth.dto';
import { merchant } from '../http/contract/credential';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import { routesOf, type Route } from '../http/contract/route';
import { BillerConnectionDto, BillerEventDto, PutBillerConnectionBody } from './billers.dto';
import { listBillerEvents } from './billers.queries';
import { BillerEventFilter } from './connection.dto';
import { readConnection } from './read-connection';

const route = routesOf('Billers');
const path = '/api/v1/workspace/billers/:biller';
const params = { biller: { text: 'NOT_FOUND' } } as const;

const responses = { 200: { type: BillerConnectionDto } };

/** Connections to the billers beside Stripe, one per mode each, and the events that came over them. */
export const billerRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'getBillerConnection',
      summary: 'Read the connection to a biller',
      description:
        'Paddle or Polar, of the mode of X-Mode. Its url is there before any key is. Secrets are never shown.',
      auth: merchant('viewer'),
      params,
      responses,
      errors: ['NOT_FOUND'],
    },
    async (ctx) => {
      const biller = billerOf(ctx.input.params.biller);
      ctx.body = present(BillerConnectionDto, await readConnection(ctx, biller));
    },
  ),

  route.put(
    path,
    {
      name: 'putBillerConnection',
      summary: 'Connect to a biller',
      description:
        "A field left out stays as it is. A key is tried first by one read of each thing that it is needed for: BILLER_KEY_REJECTED names what it lacks, and nothing changes. Paddle: transaction.read, adjustment.read, discount.read and customer.read; notification_setting.write when no webhookSecret is given, for then our endpoint is registered and its secret used. For the daily reading of what no webhook brought Paddle needs notification.read as well; without it the key is taken, and lastError says so after the first reading. Polar: orders:read, refunds:read, disputes:read and discounts:read; webhooks:write in the same way. What waits is taken up with a new key. Nothing of the time before is read: what was sold then is credited by its customers' sign-ups and imports.",
      auth: merchant('admin'),
      params,
      body: PutBillerConnectionBody,
      responses,
      errors: ['BILLER_KEY_REJECTED', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    },
    async (ctx) => {
      const biller = billerOf(ctx.input.params.biller);
      const { apiKey: key, webhookSecret } = ctx.input.body;
      await connectBiller(ctx.deps, commandContextOf(ctx), { biller, key, webhookSecret });
      ctx.body = present(BillerConnectionDto, await readConnection(ctx, biller));
    },
  ),

  route.delete(
    path,
    {
      name: 'deleteBillerConnection',
      summary: 'Disconnect from a biller',
      description:
        'The connection and its secrets are gone, its url answers 404, and an endpoint that we registered is removed at the biller. What its events caused stays.',
      auth: merchant('admin'),
      params,
      responses: { 204: {} },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    },
    async (ctx) => {
      const biller = billerOf(ctx.input.params.biller);
      await disconnectBiller(ctx.deps, commandContextOf(ctx), biller);
      ctx.status = 204;
    },
  ),

  route.get(
    `${path}/events`,
    {
      name: 'listBillerEvents',
      summary: "List a biller's events",
      description: 'Newest first. dateFrom and dateTo compare receivedAt.',
      auth: merchant('viewer'),
      params,
      query: BillerEventFilter,
      responses: pageAnswer(BillerEventDto),
      errors: ['NOT_FOUND'],
    },
    async (ctx) => {
      const biller = billerOf(ctx.input.params.biller);
      const found = await listBillerEvents(ctx.db, { ...ctx.scope, biller }, ctx.input.query);
      ctx.body = toPage(ctx, found, (row) => present(BillerEventDto, row));
    },
  ),

  route.post(
    `${path}/events/:eventId/replay`,
    {
      name: 'replayBillerEvent',
      summary: "Process one of a biller's events again",
      description:
        'Whatever became of it; the effect is the same however often it is processed. With a key what may have changed since is asked for.',
      auth: merchant('admin'),
      params: { ...params, eventId: 'NOT_FOUND' },
      responses: { 202: { type: EmptyDto } },
      errors: ['BILLER_EVENT_RUNNING'],
    },
    async (ctx) => {
      const { biller: name, eventId: id } = ctx.input.params;
      await replayEvent(ctx.db, commandContextOf(ctx), { id, biller: billerOf(name) });
      ctx.status = 202;
      ctx.body = {};
    },
  ),
];

/** Stripe has routes of its own. */
function billerOf(name: string): FurtherBiller {
  const biller = furtherBillers.find((one) => one === name);
  if (!biller) throw new AppError('NOT_FOUND');
  return biller;
}
