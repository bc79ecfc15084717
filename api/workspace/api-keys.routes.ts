import { commandContextOf } from '../../activities/journal/cause';
import { addApiKey, revokeApiKey } from '../../activities/credentials/api-keys';
import { programOf } from '../access';
import { member } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage } from '../http/contract/pagination';
import {
  ApiKeyDto,
  ApiKeyQuery,
  CreateApiKeyBody,
  presentApiKey,
  problemsOfKey,
} from './api-keys.dto';
import { listApiKeys } from './api-keys.queries';
import { onlyOf } from '../http/contract/only-of';
import { exampleOf } from '../http/contract/example';

const route = routesOf('API keys');
const path = '/api/v1/workspace/api-keys';

const createdExample = `sk_test_${'x'.repeat(32)}`;

export const apiKeyRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'listApiKeys',
      summary: 'List the API keys',
      description:
        'Newest first, of both modes unless one is asked for. Secret and management keys are never shown again.',
      auth: member('viewer'),
      query: ApiKeyQuery,
      responses: pageAnswer(ApiKeyDto),
      noStore: true,
    },
    async (ctx) => {
      const page = ctx.input.query;
      const found = await listApiKeys(ctx.db, ctx.principal.workspaceId, page);
      ctx.body = toPage(ctx, found, presentApiKey);
    },
  ),

  route.post(
    path,
    {
      name: 'createApiKey',
      summary: 'Create an API key',
      description: [
        'The body names the mode. `key` of a secret or management key is shown this once. A',
        'management key does on the routes of the dashboard what a member of its `role` may, in its',
        'mode and, with `programId`, in that programme only.',
      ].join(' '),
      auth: member('admin'),
      body: CreateApiKeyBody,
      check: problemsOfKey,
      responses: {
        201: { type: ApiKeyDto, example: exampleOf(ApiKeyDto, { key: createdExample }) },
      },
      errors: ['API_KEY_LIMIT', 'PROGRAM_NOT_FOUND'],
      noStore: true,
    },
    async (ctx) => {
      const { kind, mode, name = null, role, programId } = ctx.input.body;
      if (programId) await programOf({ ...ctx, scope: { ...ctx.scope, mode } }, programId);
      const bounds = { role: role ?? null, programId: programId ?? null };
      const command = { kind, mode, name, ...bounds, createdBy: ctx.principal.accountId };
      const record = await addApiKey(ctx.db, commandContextOf(ctx), command);
      ctx.status = 201;
      ctx.set('Location', `${path}/${record.id}`);
      ctx.body = presentApiKey(record);
    },
  ),

  route.get(
    `${path}/:apiKeyId`,
    {
      name: 'getApiKey',
      summary: 'Read an API key',
      description: 'As the list shows it: secret and management keys without their text.',
      auth: member('viewer'),
      params: { apiKeyId: 'NOT_FOUND' },
      responses: { 200: { type: ApiKeyDto } },
      errors: ['NOT_FOUND'],
      noStore: true,
    },
    async (ctx) => {
      const one = { ...ctx.input.params, limit: 1 };
      ctx.body = presentApiKey(onlyOf(await listApiKeys(ctx.db, ctx.principal.workspaceId, one)));
    },
  ),

  route.post(
    `${path}/:apiKeyId/revoke`,
    {
      name: 'revokeApiKey',
      summary: 'Revoke an API key',
      description: 'Within a second no process takes it any more. Revoking it again is fine.',
      auth: member('admin'),
      params: { apiKeyId: 'NOT_FOUND' },
      responses: { 204: {} },
      errors: ['NOT_FOUND'],
    },
    async (ctx) => {
      await revokeApiKey(ctx.db, commandContextOf(ctx), ctx.input.params);
      ctx.status = 204;
    },
  ),
];
