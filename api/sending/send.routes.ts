import { commandContextOf } from '../../activities/journal/cause';
import { chooseItems } from '../../activities/sending/chosen';
import { checkSend, sendPayout } from '../../activities/sending/send';
import { programOfRow } from '../access';
import { confirmByCode, factorErrors, requireFactor } from '../auth/second-factor';
import { member } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { presentPayout } from '../payouts/payouts.dto';
import {
  problemsOfSend,
  SendPayoutBody,
  SendPreviewDto,
  SentPayoutDto,
  sentPayoutExample,
} from './send.dto';

const route = routesOf('Payouts');

/** Payouts that a provider sends (docs/reference/payouts.md, Sent by a provider). */
export const sendRoutes: Route[] = [
  route.post(
    '/api/v1/payouts/:id/send',
    {
      name: 'sendPayout',
      summary: 'Send a payout by a provider',
      description:
        'With dryRun it tells what would be sent and what is left out, and changes nothing. Without it, ' +
        'confirmed by a code: 202, the items are on their way, and the service asks the provider until ' +
        'each has come to an end.',
      auth: member('admin'),
      params: { id: 'PAYOUT_NOT_FOUND' },
      programOf: programOfRow('payouts', 'id'),
      body: SendPayoutBody,
      check: problemsOfSend,
      responses: {
        200: { type: SendPreviewDto },
        202: { type: SentPayoutDto, example: sentPayoutExample },
      },
      errors: [
        ...factorErrors,
        'SECOND_PERSON_REQUIRED',
        'SERVICE_UNAVAILABLE',
        'PROVIDER_NOT_CONNECTED',
        'PAYOUT_EMPTY',
        'PAYOUT_CHANGED',
        'PAYOUT_OVER_LIMIT',
      ],
      prepare: async (ctx) => {
        const { dryRun, code, ...body } = ctx.input.body;
        const { expected } = body;
        if (dryRun || !expected) return undefined;
        const account = await requireFactor(ctx);
        const command = { ...body, expected, payoutId: ctx.input.params.id };
        const stores = { db: ctx.db, vault: ctx.deps.vault };
        await checkSend(stores, commandContextOf(ctx), command);
        return { ...command, confirmed: await confirmByCode(ctx, account, code) };
      },
    },
    async (ctx, prepared) => {
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const payoutId = ctx.input.params.id;
      if (!prepared) {
        const chosen = await chooseItems(stores, ctx.scope, { ...ctx.input.body, payoutId });
        ctx.body = { ...chosen, items: chosen.items.length };
        return;
      }
      const { payout, leftOut } = await sendPayout(stores, commandContextOf(ctx), prepared);
      ctx.status = 202;
      ctx.body = { ...presentPayout(payout), leftOut };
    },
  ),
];
