import { commandContextOf } from '../../activities/journal/cause';
import {
  connectProvider,
  disconnectProvider,
  tryCredential,
} from '../../activities/sending/connection';
import { AppError } from '../../entities/errors';
import { isPayoutProvider, type PayoutProviderName } from '../../entities/rules/payouts/providers';
import { confirmByCode, factorErrors, requireFactor } from '../auth/second-factor';
import { member } from '../http/contract/credential';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import type { RequestContext } from '../http/contract/request';
import { routesOf, type Route } from '../http/contract/route';
import { PayoutProviderDto, ProviderListQuery, PutProviderBody } from './providers.dto';
import { listProviders } from './providers.queries';

const route = routesOf('Payouts');
const path = '/api/v1/workspace/payout-providers';
const params = { provider: { text: 'NOT_FOUND' } } as const;

/** Who sends payouts for a workspace (docs/paying-partners.md). */
export const providerRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'listPayoutProviders',
      summary: 'List who can send your payouts',
      description:
        'With the state of the connection in the mode of X-Mode. Secrets are never shown.',
      auth: member('admin'),
      query: ProviderListQuery,
      responses: pageAnswer(PayoutProviderDto),
    },
    async (ctx) => {
      const found = await listProviders(ctx.db, ctx.scope, ctx.input.query);
      ctx.body = toPage(ctx, found, (row) => present(PayoutProviderDto, row));
    },
  ),

  route.put(
    `${path}/:provider`,
    {
      name: 'putPayoutProvider',
      summary: 'Connect a provider that sends your payouts',
      description:
        'An owner, confirmed by a code. The credential is tried first: PROVIDER_KEY_REJECTED names what ' +
        'it lacks, and nothing changes. While a payout is on its way only a new secret of the same ' +
        'client ID is taken. Admins and owners get a mail.',
      auth: member('owner'),
      params,
      body: PutProviderBody,
      responses: { 200: { type: PayoutProviderDto } },
      errors: [
        'NOT_FOUND',
        ...factorErrors,
        'PROVIDER_KEY_REJECTED',
        'PROVIDER_IN_USE',
        'SERVICE_UNAVAILABLE',
      ],
      prepare: async (ctx) => {
        const provider = providerIn(ctx.input.params.provider);
        const { clientId, clientSecret, code } = ctx.input.body;
        const credential = { provider, clientId, clientSecret };
        const account = await requireFactor(ctx);
        await tryCredential(ctx.deps, ctx, credential);
        return { credential, confirmed: await confirmByCode(ctx, account, code) };
      },
    },
    async (ctx, prepared) => {
      await connectProvider(ctx.deps, commandContextOf(ctx), prepared);
      ctx.body = await readProvider(ctx, prepared.credential.provider);
    },
  ),

  route.delete(
    `${path}/:provider`,
    {
      name: 'deletePayoutProvider',
      summary: 'Disconnect a provider',
      description:
        'Its credential is gone, and nobody asks any more whether a payment came back. Not while a ' +
        'payout is on its way. Admins and owners get a mail.',
      auth: member('owner'),
      params,
      responses: { 204: {} },
      errors: ['NOT_FOUND', 'PROVIDER_IN_USE'],
    },
    async (ctx) => {
      const provider = providerIn(ctx.input.params.provider);
      await disconnectProvider(ctx.db, commandContextOf(ctx), provider);
      ctx.status = 204;
    },
  ),
];

function providerIn(name: string): PayoutProviderName {
  if (isPayoutProvider(name)) return name;
  throw new AppError('NOT_FOUND');
}

async function readProvider(
  ctx: Pick<RequestContext, 'db'> & { scope: Parameters<typeof listProviders>[1] },
  provider: PayoutProviderName,
): Promise<PayoutProviderDto> {
  const { rows } = await listProviders(ctx.db, ctx.scope, { limit: 1, provider });
  const [row] = rows;
  if (!row) throw new AppError('NOT_FOUND');
  return present(PayoutProviderDto, row);
}
