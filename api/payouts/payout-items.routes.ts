import { cancelPayout, completePayout, markItem } from '../../activities/payouts/end-payout';
import { commandContextOf } from '../../activities/journal/cause';
import { merchant } from '../http/contract/credential';
import { programOfRow } from '../access';
import { contract } from '../http/contract/contract';
import { route, type Route } from '../http/contract/route';
import { CancelPayoutBody, MarkItemBody } from './payout-items.dto';
import {
  PayoutDto,
  cancelledPayoutExample,
  completedPayoutExample,
  presentPayout,
} from './payouts.dto';

const tag = 'Payouts';
const path = '/api/v1/payouts';
const params = { id: 'PAYOUT_NOT_FOUND' } as const;

/** What becomes of a payout's items (docs/reference/payouts.md, What becomes of an item). */
export const payoutItemRoutes: Route[] = [
  route.post(
    'completePayout',
    `${path}/:id/complete`,
    contract(
      {
        summary: 'Report that all items of a payout that are ready were paid',
        tag,
        description: 'Their commissions become paid.',
        auth: merchant('admin'),
        params,
        programOf: programOfRow('payouts', 'id'),
        responses: { 200: { type: PayoutDto, example: completedPayoutExample } },
        errors: ['PAYOUT_NOT_FOUND', 'PAYOUT_NOT_PROCESSING'],
      },
      async (ctx) => {
        const command = { payoutId: ctx.input.params.id };
        const payout = await completePayout(ctx.db, commandContextOf(ctx), command);
        ctx.body = presentPayout(payout);
      },
    ),
  ),

  route.post(
    'cancelPayout',
    `${path}/:id/cancel`,
    contract(
      {
        summary: 'Give up all items of a payout that are ready',
        tag,
        description:
          'Frees their commissions and debts; refunds of meanwhile take effect. Items that a file ' +
          'held need confirmExported: a bank may have paid them.',
        auth: merchant('admin'),
        params,
        programOf: programOfRow('payouts', 'id'),
        body: CancelPayoutBody,
        bodyOptional: true,
        responses: { 200: { type: PayoutDto, example: cancelledPayoutExample } },
        errors: ['PAYOUT_NOT_FOUND', 'PAYOUT_NOT_PROCESSING', 'PAYOUT_ITEMS_EXPORTED'],
      },
      async (ctx) => {
        const { confirmExported } = ctx.input.body;
        const command = { payoutId: ctx.input.params.id, confirmExported };
        const payout = await cancelPayout(ctx.db, commandContextOf(ctx), command);
        ctx.body = presentPayout(payout);
      },
    ),
  ),

  route.post(
    'markPayoutItem',
    `${path}/:id/items/:itemId/mark`,
    contract(
      {
        summary: 'Report what became of one item',
        tag,
        description:
          'paid or failed; returned after paid; paid after all for what failed, was cancelled or ' +
          'came back. What failed or came back is free for the next payout. The same again changes nothing.',
        auth: merchant('admin'),
        params: { ...params, itemId: 'PAYOUT_ITEM_NOT_FOUND' },
        programOf: programOfRow('payouts', 'id'),
        body: MarkItemBody,
        responses: { 200: { type: PayoutDto, example: completedPayoutExample } },
        errors: ['PAYOUT_NOT_FOUND', 'PAYOUT_ITEM_NOT_FOUND', 'PAYOUT_ITEM_INVALID_TRANSITION'],
      },
      async (ctx) => {
        const { id: payoutId, itemId } = ctx.input.params;
        const command = { payoutId, itemId, ...ctx.input.body };
        ctx.body = presentPayout(await markItem(ctx.db, commandContextOf(ctx), command));
      },
    ),
  ),
];
