import { commandContextOf } from '../../activities/journal/cause';
import {
  createEndpoint,
  deleteEndpoint,
  updateEndpoint,
} from '../../activities/webhooks/endpoints';
import { pingEndpoint } from '../../activities/webhooks/ping';
import { checkReceiverUrl } from '../../activities/webhooks/receiver-url';
import { rotateSecret } from '../../activities/webhooks/rotate-secret';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import {
  CreateWebhookBody,
  PingBody,
  PingResultDto,
  RotateSecretBody,
  UpdateWebhookBody,
  WebhookDto,
  WebhookWithSecretDto,
  presentWebhook,
  webhookProblems,
} from './webhooks.dto';
import { getWebhook, listWebhooks } from './webhooks.queries';

const route = routesOf('Webhooks');
const path = '/api/v1/webhooks';
const params = { id: 'WEBHOOK_NOT_FOUND' } as const;
const one = { 200: { type: WebhookDto } };
const urlErrors = [
  'WEBHOOK_URL_NOT_HTTPS',
  'WEBHOOK_URL_PRIVATE_IP',
  'WEBHOOK_URL_UNRESOLVABLE',
] as const;

/** Outbound webhook endpoints (docs/reference/webhooks.md, Attempts). */
export const webhookRoutes: Route[] = [
  route.post(
    path,
    {
      name: 'createWebhook',
      summary: 'Create a webhook endpoint',
      description:
        'At most 10 in each mode. Checked in this order: form of the URL, https in live mode, the addresses that its host leads to, the limit. `signingSecret` is shown only here and at a rotation.',
      auth: merchant('admin'),
      body: CreateWebhookBody,
      check: webhookProblems,
      responses: { 201: { type: WebhookWithSecretDto } },
      errors: [...urlErrors, 'WEBHOOK_ENDPOINT_LIMIT_EXCEEDED'],
      prepare: async ({ deps, scope, input }) =>
        checkReceiverUrl(deps.outbound, { mode: scope.mode, url: input.body.url }),
      noStore: true,
    },
    async (ctx) => {
      const { url, events, description } = ctx.input.body;
      const { id, signingSecret } = await createEndpoint(
        { db: ctx.db, vault: ctx.deps.vault },
        commandContextOf(ctx),
        { url, events, description },
      );
      ctx.status = 201;
      ctx.set('Location', `${path}/${id}`);
      ctx.body = { ...presentWebhook(await getWebhook(ctx.db, ctx.scope, id)), signingSecret };
    },
  ),

  route.get(
    path,
    {
      name: 'listWebhooks',
      summary: 'List the webhook endpoints of the current mode',
      description: 'Newest first, with the state of each; signing secrets are never shown again.',
      auth: merchant('viewer'),
      query: PageQuery,
      responses: pageAnswer(WebhookDto),
    },
    async (ctx) => {
      const found = await listWebhooks(ctx.db, ctx.scope, ctx.input.query);
      ctx.body = toPage(ctx, found, presentWebhook);
    },
  ),

  route.get(
    `${path}/:id`,
    {
      name: 'getWebhook',
      summary: 'Read a webhook endpoint',
      description: 'Its events and its state; the signing secret is never shown again.',
      auth: merchant('viewer'),
      params,
      responses: one,
    },
    async (ctx) => {
      ctx.body = presentWebhook(await getWebhook(ctx.db, ctx.scope, ctx.input.params.id));
    },
  ),

  route.delete(
    `${path}/:id`,
    {
      name: 'deleteWebhook',
      summary: 'Delete a webhook endpoint',
      description: 'Final. Deliveries that wait for it are cancelled.',
      auth: merchant('admin'),
      params,
      responses: { 204: {} },
    },
    async (ctx) => {
      const endpointId = ctx.input.params.id;
      await deleteEndpoint(ctx.db, commandContextOf(ctx), { endpointId });
      ctx.status = 204;
    },
  ),

  route.patch(
    `${path}/:id`,
    {
      name: 'updateWebhook',
      summary: 'Update a webhook endpoint',
      description:
        'Any of url, events, description and active. Deactivating cancels the deliveries that wait, and taking a kind out of events those of that kind; nothing that happens while an endpoint is inactive is delivered later.',
      auth: merchant('admin'),
      params,
      body: UpdateWebhookBody,
      check: webhookProblems,
      responses: one,
      errors: urlErrors,
    },
    async (ctx) => {
      const { id } = ctx.input.params;
      const { mode } = await getWebhook(ctx.db, ctx.scope, id);
      const { url } = ctx.input.body;
      if (url !== undefined) await checkReceiverUrl(ctx.deps.outbound, { mode, url });
      const command = { ...ctx.input.body, endpointId: id };
      await updateEndpoint(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentWebhook(await getWebhook(ctx.db, ctx.scope, id));
    },
  ),

  route.post(
    `${path}/:id/rotate-secret`,
    {
      name: 'rotateWebhookSecret',
      summary: 'Rotate the signing secret',
      description:
        'The new secret signs from now on. With `overlapHours` the old one signs too for that long: both signature headers then carry two `v1`.',
      auth: merchant('admin'),
      params,
      body: RotateSecretBody,
      bodyOptional: true,
      responses: { 200: { type: WebhookWithSecretDto } },
      noStore: true,
    },
    async (ctx) => {
      const { id } = ctx.input.params;
      const { overlapHours } = ctx.input.body;
      const signingSecret = await rotateSecret(
        { db: ctx.db, vault: ctx.deps.vault },
        commandContextOf(ctx),
        { endpointId: id, overlapHours },
      );
      ctx.body = { ...presentWebhook(await getWebhook(ctx.db, ctx.scope, id)), signingSecret };
    },
  ),

  route.post(
    `${path}/:id/test-ping`,
    {
      name: 'pingWebhook',
      summary: 'Send a test event now',
      description:
        'One signed delivery, awaited for at most 10 seconds, never retried, not in the list of deliveries. The subscription does not matter.',
      auth: merchant('admin'),
      params,
      body: PingBody,
      bodyOptional: true,
      responses: {
        200: { type: PingResultDto },
      },
      idempotency: 'claimed',
    },
    async (ctx) => {
      const { eventType } = ctx.input.body;
      const command = { endpointId: ctx.input.params.id, eventType };
      ctx.body = await pingEndpoint({ ...ctx.deps, db: ctx.db }, commandContextOf(ctx), command);
    },
  ),
];
