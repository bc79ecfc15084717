import { commandContextOf } from '../../activities/journal/cause';
import {
  listSuppressed,
  type SuppressedOfWorkspace,
} from '../../activities/suppression/of-workspace';
import { liftSuppression, suppressionReasons } from '../../activities/suppression/suppression';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import { AnyText, Instant, OneOf, Uuid } from '../http/contract/validators';

const route = routesOf('Workspace');
const path = '/api/v1/workspace/suppressed-addresses';

class SuppressedAddressDto {
  @Uuid()
  id!: string;

  @AnyText({ example: 'pat@example.com' })
  email!: string;

  @OneOf(suppressionReasons)
  reason!: (typeof suppressionReasons)[number];

  @Instant()
  createdAt!: string;
}

function presentSuppressed(row: SuppressedOfWorkspace): SuppressedAddressDto {
  const { id, email, reason, createdAt } = row;
  return { id, email, reason, createdAt: createdAt.toISOString() };
}

export const suppressedAddressRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'listSuppressedAddresses',
      summary: 'List addresses that no mail is sent to',
      description:
        'Those of your members, participants and open live invites that bounced or complained. Verification and reset mails are sent all the same.',
      auth: merchant('admin'),
      query: PageQuery,
      responses: pageAnswer(SuppressedAddressDto),
    },
    async (ctx) => {
      const { workspaceId } = ctx.principal;
      const { db, now } = ctx;
      const stores = { db, vault: ctx.deps.vault };
      const found = await listSuppressed(stores, { workspaceId, now }, ctx.input.query);
      ctx.body = toPage(ctx, found, presentSuppressed);
    },
  ),

  route.delete(
    `${path}/:suppressionId`,
    {
      name: 'liftSuppressedAddress',
      summary: 'Send mail to an address again',
      description:
        'One that bounced. A complaint is taken back by the person alone, who verifies the address anew.',
      auth: merchant('admin'),
      params: { suppressionId: 'NOT_FOUND' },
      responses: { 204: {} },
      errors: ['NOT_FOUND', 'SUPPRESSION_COMPLAINED'],
    },
    async (ctx) => {
      const { db } = ctx;
      const { vault } = ctx.deps;
      await liftSuppression({ db, vault }, commandContextOf(ctx), ctx.input.params);
      ctx.status = 204;
    },
  ),
];
