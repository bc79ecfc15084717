import { renameAccount } from '../../activities/accounts/own-account';
import { findAccount } from '../../activities/accounts/accounts';
import { causeOf } from '../../activities/journal/cause';
import { resendVerification } from '../../activities/accounts/verify-email';
import { endSession } from '../../activities/credentials/sessions';
import { AppError } from '../../entities/errors';
import { member } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import {
  bothSides,
  changeEmailOf,
  changePasswordOf,
  ownAccountTag,
  type SideSpec,
} from './account-changes';
import { presentSession, RenameAccountBody, SessionDto } from './account.dto';
import { EmptyDto, MerchantAccountDto, presentAccount } from './auth.dto';
import { listSessions } from './sessions.queries';

const route = routesOf(ownAccountTag);
const path = '/api/v1/auth/merchant/account';
const responses = { 200: { type: MerchantAccountDto } };

/** What a signed-in person does with their own account, the same for both sides. */
export const accountRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'getMerchantAccount',
      summary: 'Read your own account',
      description: 'The account of whoever is signed in.',
      auth: member('viewer', { ownAccount: true }),
      responses,
    },
    async (ctx) => {
      const account = await findAccount(ctx.db, 'merchant', { id: ctx.principal.accountId });
      if (!account) throw new AppError('UNAUTHORIZED');
      ctx.body = presentAccount(account);
    },
  ),

  route.patch(
    path,
    {
      name: 'updateMerchantAccount',
      summary: 'Rename your own account',
      description: 'The name that other members see.',
      auth: member('viewer', { ownAccount: true }),
      body: RenameAccountBody,
      responses,
    },
    async (ctx) => {
      const { accountId } = ctx.principal;
      const command = { accountId, ...ctx.input.body };
      ctx.body = presentAccount(await renameAccount(ctx.db, causeOf(ctx), command));
    },
  ),

  ...bothSides.flatMap((side) => [
    changeEmailOf(side),
    changePasswordOf(side),
    listSessionsOf(side),
    endSessionOf(side),
    resendOf(side),
  ]),
];

function listSessionsOf({ side, suffix, auth }: SideSpec): Route {
  return route.get(
    `/api/v1/auth/${side}/sessions`,
    {
      name: `listSessions${suffix}`,
      summary: 'List your sessions',
      description: 'Those that still live, newest first.',
      auth: auth(),
      query: PageQuery,
      responses: pageAnswer(SessionDto),
    },
    async (ctx) => {
      const { accountId, sessionId } = ctx.principal;
      const page = ctx.input.query;
      const found = await listSessions(ctx.db, { side, accountId, now: ctx.now }, page);
      ctx.body = toPage(ctx, found, (row) => presentSession(row, sessionId));
    },
  );
}

function endSessionOf({ side, suffix, auth }: SideSpec): Route {
  return route.delete(
    `/api/v1/auth/${side}/sessions/:sessionId`,
    {
      name: `endSession${suffix}`,
      summary: 'End one of your sessions',
      description: 'Its tokens stop working at once. A session of another account is 404.',
      auth: auth(),
      params: { sessionId: 'NOT_FOUND' },
      responses: { 204: {} },
      errors: ['NOT_FOUND'],
    },
    async (ctx) => {
      const { accountId } = ctx.principal;
      await endSession(ctx.db, causeOf(ctx), { side, accountId, ...ctx.input.params });
      ctx.status = 204;
    },
  );
}

function resendOf({ side, suffix, auth }: SideSpec): Route {
  return route.post(
    `/api/v1/auth/${side}/email/resend-verification`,
    {
      name: `resendVerification${suffix}`,
      summary: 'Send the verification mail again',
      description: 'Nothing is sent when the address is verified already. Three an hour.',
      auth: auth({ addressZone: 'auth', zones: ['resend'] }),
      responses: { 200: { type: EmptyDto } },
    },
    async (ctx) => {
      const { accountId } = ctx.principal;
      const { vault } = ctx.deps;
      await resendVerification({ db: ctx.db, vault }, causeOf(ctx), { side, accountId });
      ctx.body = {};
    },
  );
}
