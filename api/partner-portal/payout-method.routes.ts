import { getPayoutMethod, setPayoutMethod } from '../../activities/accounts/payout-method';
import { causeOf } from '../../activities/journal/cause';
import { confirmWithFactor } from '../auth/two-factor.routes';
import { partner } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import {
  DeletePayoutMethodBody,
  methodOf,
  PayoutMethodDto,
  presentPayoutMethod,
  problemsOfMethod,
  PutPayoutMethodBody,
} from './payout-method.dto';

const route = routesOf('Partner account');
const path = '/api/v1/partner/payout-method';
const responses = { 200: { type: PayoutMethodDto } };

/** How a partner is paid (docs/reference/payouts.md, How a partner is paid). */
export const payoutMethodRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'getPayoutMethod',
      summary: 'Read how you are paid',
      description: 'Of account numbers the last four characters; null: you have not said.',
      auth: partner(),
      responses,
    },
    async (ctx) => {
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      ctx.body = presentPayoutMethod(await getPayoutMethod(stores, ctx.principal.accountId));
    },
  ),

  route.put(
    path,
    {
      name: 'putPayoutMethod',
      summary: 'Say how you are paid',
      description:
        'For payouts made from now on. Kept encrypted; merchants see its type and a masked ' +
        'label, and the whole in the files for their bank. You get a mail. With a second factor it ' +
        'takes a code.',
      auth: partner(),
      body: PutPayoutMethodBody,
      check: problemsOfMethod,
      responses,
      errors: ['PASSWORD_INVALID', 'TWO_FACTOR_REQUIRED', 'TWO_FACTOR_INVALID'],
      prepare: (ctx) => confirmWithFactor(ctx, { side: 'partner', ...ctx.input.body }),
    },
    async (ctx, confirmed) => {
      const method = methodOf(ctx.input.body);
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      await setPayoutMethod(stores, causeOf(ctx), { ...confirmed, method });
      ctx.body = presentPayoutMethod(method);
    },
  ),

  route.delete(
    path,
    {
      name: 'deletePayoutMethod',
      summary: 'Forget how you are paid',
      description:
        'You get a mail. Without a method nothing changes. With a second factor it takes a code.',
      auth: partner(),
      body: DeletePayoutMethodBody,
      responses: { 204: {} },
      errors: ['PASSWORD_INVALID', 'TWO_FACTOR_REQUIRED', 'TWO_FACTOR_INVALID'],
      prepare: (ctx) => confirmWithFactor(ctx, { side: 'partner', ...ctx.input.body }),
    },
    async (ctx, confirmed) => {
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      await setPayoutMethod(stores, causeOf(ctx), { ...confirmed, method: null });
      ctx.status = 204;
    },
  ),
];
