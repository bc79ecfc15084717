import { getPayoutMethod, setPayoutMethod } from '../../activities/accounts/payout-method';
import { causeOf } from '../../activities/journal/cause';
import { confirm } from '../auth/account-changes';
import { partner } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import {
  DeletePayoutMethodBody,
  methodOf,
  payoutMethodExample,
  PayoutMethodDto,
  presentPayoutMethod,
  problemsOfMethod,
  PutPayoutMethodBody,
} from './payout-method.dto';

const route = routesOf('Partner account');
const path = '/api/v1/partner/payout-method';
const responses = { 200: { type: PayoutMethodDto, example: payoutMethodExample } };

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
        'label, and the whole in the files for their bank. You get a mail.',
      auth: partner(),
      body: PutPayoutMethodBody,
      check: problemsOfMethod,
      responses,
      errors: ['PASSWORD_INVALID'],
      prepare: (ctx) => confirm(ctx, { side: 'partner', password: ctx.input.body.password }),
    },
    async (ctx, seen) => {
      const method = methodOf(ctx.input.body);
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      await setPayoutMethod(stores, causeOf(ctx), { seen, method });
      ctx.body = presentPayoutMethod(method);
    },
  ),

  route.delete(
    path,
    {
      name: 'deletePayoutMethod',
      summary: 'Forget how you are paid',
      description: 'You get a mail. Without a method nothing changes.',
      auth: partner(),
      body: DeletePayoutMethodBody,
      responses: { 204: {} },
      errors: ['PASSWORD_INVALID'],
      prepare: (ctx) => confirm(ctx, { side: 'partner', password: ctx.input.body.password }),
    },
    async (ctx, seen) => {
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      await setPayoutMethod(stores, causeOf(ctx), { seen, method: null });
      ctx.status = 204;
    },
  ),
];
