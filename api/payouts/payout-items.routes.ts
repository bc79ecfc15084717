import { cancelPayout, completePayout, markItem } from '../../activities/payouts/end-payout';
import { commandContextOf } from '../../activities/journal/cause';
import { merchant } from '../http/contract/credential';
import { programOfRow } from '../access';
import { routesOf, type Route } from '../http/contract/route';
import { CancelPayoutBody, MarkItemBody, problemsOfMark } from './payout-items.dto';
import {
  PayoutDto,
  cancelledPayoutExample,
  completedPayoutExample,
  presentPayout,
} from './payouts.dto';

const route = routesOf('Payouts');
const path = '/api/v1/payouts/:id';
const params = { id: 'PAYOUT_NOT_FOUND' } as const;
const common = {
  auth: merchant('admin'),
  programOf: programOfRow('payouts', 'id'),
} as const;

/** What becomes of a payout's items (docs/reference/payouts.md, What becomes of an item). */
export const payoutItemRoutes: Route[] = [
  route.post(
    `${path}/complete`,
    {
      name: 'completePayout',
      ...common,
      summary: 'Report that all items of a payout that are ready were paid',
      description: 'Their commissions become paid.',
      params,
      responses: { 200: { type: PayoutDto, example: completedPayoutExample } },
      errors: ['PAYOUT_NOT_PROCESSING'],
    },
    async (ctx) => {
      const command = { payoutId: ctx.input.params.id };
      ctx.body = presentPayout(await completePayout(ctx.db, commandContextOf(ctx), command));
    },
  ),

  route.post(
    `${path}/cancel`,
    {
      name: 'cancelPayout',
      ...common,
      summary: 'Give up all items of a payout that are ready',
      description:
        'Frees their commissions and debts; refunds of meanwhile take effect. Items that a file ' +
        'held need confirmExported: a bank may have paid them.',
      params,
      body: CancelPayoutBody,
      bodyOptional: true,
      responses: { 200: { type: PayoutDto, example: cancelledPayoutExample } },
      errors: ['PAYOUT_NOT_PROCESSING', 'PAYOUT_ITEMS_EXPORTED'],
    },
    async (ctx) => {
      const command = { payoutId: ctx.input.params.id, ...ctx.input.body };
      ctx.body = presentPayout(await cancelPayout(ctx.db, commandContextOf(ctx), command));
    },
  ),

  route.post(
    `${path}/items/:itemId/mark`,
    {
      name: 'markPayoutItem',
      ...common,
      summary: 'Report what became of one item',
      description:
        'paid or failed; returned after paid; paid after all for what failed, was cancelled or ' +
        'came back. What failed or came back is free for the next payout. The same again changes nothing.',
      params: { ...params, itemId: 'PAYOUT_ITEM_NOT_FOUND' },
      body: MarkItemBody,
      check: problemsOfMark,
      responses: { 200: { type: PayoutDto, example: completedPayoutExample } },
      errors: ['PAYOUT_ITEM_INVALID_TRANSITION', 'PAYOUT_ITEM_SENDING'],
    },
    async (ctx) => {
      const { id: payoutId, itemId } = ctx.input.params;
      const command = { payoutId, itemId, ...ctx.input.body };
      ctx.body = presentPayout(await markItem(ctx.db, commandContextOf(ctx), command));
    },
  ),
];
