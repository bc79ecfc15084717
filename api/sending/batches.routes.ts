import { commandContextOf, type CommandContext } from '../../activities/journal/cause';
import { findPayout, hasPayout } from '../../activities/payouts/records';
import {
  askNow,
  assertResolvable,
  batchOf,
  cancelUnclaimed,
  resolveBatch,
  verifyBatch,
} from '../../activities/sending/resolve';
import { AppError } from '../../entities/errors';
import type { Db } from '../../entities/database/sql';
import { programOfRow } from '../access';
import { EmptyDto } from '../auth/auth.dto';
import { confirmByCode, factorErrors, requireFactor } from '../auth/second-factor';
import { member, merchant } from '../http/contract/credential';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import { routesOf, type Route } from '../http/contract/route';
import { PayoutDto, presentPayout } from '../payouts/payouts.dto';
import { BatchListQuery, PayoutBatchDto, problemsOfResolve, ResolveBatchBody } from './batches.dto';
import { findItem, listBatches } from './batches.queries';
import {} from './send.dto';

const route = routesOf('Payouts');
const path = '/api/v1/payouts/:id';
const ofPayout = { id: 'PAYOUT_NOT_FOUND' } as const;
const ofBatch = { ...ofPayout, batchId: 'NOT_FOUND' } as const;
const programOf = programOfRow('payouts', 'id');

/** What a provider was told, and what it says of it (docs/reference/payouts.md, Sent by a provider). */
export const batchRoutes: Route[] = [
  route.get(
    `${path}/batches`,
    {
      name: 'listPayoutBatches',
      summary: 'List what a provider was told of a payout',
      description: 'Newest first, each with what became of its items.',
      auth: merchant('viewer'),
      params: ofPayout,
      programOf,
      query: BatchListQuery,
      responses: pageAnswer(PayoutBatchDto),
    },
    async (ctx) => {
      const { id } = ctx.input.params;
      if (!(await hasPayout(ctx.db, ctx.scope, id))) throw new AppError('PAYOUT_NOT_FOUND');
      const found = await listBatches(ctx.db, id, ctx.input.query);
      ctx.body = toPage(ctx, found, (row) => present(PayoutBatchDto, row));
    },
  ),

  route.post(
    `${path}/batches/:batchId/ask`,
    {
      name: 'askPayoutBatch',
      summary: 'Ask the provider now what became of a batch',
      description: 'Once in 30 seconds; by itself it is asked again and again for half a year.',
      auth: merchant('admin'),
      params: ofBatch,
      programOf,
      responses: { 202: { type: EmptyDto } },
      errors: ['PAYOUT_BATCH_INVALID_STATE', 'RATE_LIMIT_EXCEEDED'],
    },
    async (ctx) => {
      const { id: payoutId, batchId } = ctx.input.params;
      await askNow(ctx.db, commandContextOf(ctx), { payoutId, batchId });
      ctx.status = 202;
      ctx.body = {};
    },
  ),

  route.post(
    `${path}/batches/:batchId/resolve`,
    {
      name: 'resolvePayoutBatch',
      summary: 'Say what became of a batch of which nobody knows',
      description:
        'Of one that needs a look because the provider never answered, has something else, or does not ' +
        'know it any more. `providerBatchId` is asked, and has to be this very batch; `nothingSent` makes ' +
        'its items ready: look at the provider first, for it cannot be undone. Confirmed by a code.',
      auth: member('admin'),
      params: ofBatch,
      programOf,
      body: ResolveBatchBody,
      check: problemsOfResolve,
      responses: { 200: { type: PayoutDto } },
      errors: [
        ...factorErrors,
        'PAYOUT_BATCH_INVALID_STATE',
        'PAYOUT_BATCH_DIFFERS',
        'SERVICE_UNAVAILABLE',
      ],
      prepare: async (ctx) => {
        const { id: payoutId, batchId } = ctx.input.params;
        const { providerBatchId, code } = ctx.input.body;
        const batch = await batchOf(ctx.db, ctx.scope, { payoutId, batchId });
        const account = await requireFactor(ctx);
        assertResolvable(batch);
        const taken =
          providerBatchId === undefined
            ? null
            : await verifyBatch(ctx.deps, batch, providerBatchId);
        return { taken, confirmed: await confirmByCode(ctx, account, code) };
      },
    },
    async (ctx, prepared) => {
      const { id: payoutId, batchId } = ctx.input.params;
      const deps = { ...ctx.deps, db: ctx.db };
      const context = commandContextOf(ctx);
      await resolveBatch(deps, context, { ...prepared, payoutId, batchId });
      ctx.body = await readPayout(ctx.db, context, payoutId);
    },
  ),

  route.post(
    `${path}/items/:itemId/cancel-unclaimed`,
    {
      name: 'cancelUnclaimedPayoutItem',
      summary: 'Take back a payment that the partner has not fetched',
      description: 'The provider is asked to cancel it, and then what became of it: that decides.',
      auth: merchant('admin'),
      params: { ...ofPayout, itemId: 'PAYOUT_ITEM_NOT_FOUND' },
      programOf,
      responses: { 200: { type: PayoutDto } },
      errors: ['PAYOUT_ITEM_NOT_UNCLAIMED', 'SERVICE_UNAVAILABLE', 'NOT_FOUND'],
      idempotency: 'claimed',
    },
    async (ctx) => {
      const { id: payoutId, itemId } = ctx.input.params;
      const context = commandContextOf(ctx);
      const db = ctx.deps.db.manager;
      if (!(await hasPayout(db, ctx.scope, payoutId))) throw new AppError('PAYOUT_NOT_FOUND');
      const item = await findItem(db, { payoutId, itemId });
      if (!item) throw new AppError('PAYOUT_ITEM_NOT_FOUND');
      const { batchId, providerItemId, reference } = item;
      const isUnclaimed = item.status === 'sending' && item.providerStatus === 'UNCLAIMED';
      if (!isUnclaimed || batchId === null || providerItemId === null) {
        throw new AppError('PAYOUT_ITEM_NOT_UNCLAIMED');
      }
      await cancelUnclaimed(ctx.deps, context, { payoutId, batchId, reference, providerItemId });
      ctx.body = await readPayout(db, context, payoutId);
    },
  ),
];

async function readPayout(db: Db, { scope }: CommandContext, payoutId: string) {
  const payout = await findPayout(db, scope, payoutId);
  if (!payout) throw new AppError('PAYOUT_NOT_FOUND');
  return presentPayout(payout);
}
