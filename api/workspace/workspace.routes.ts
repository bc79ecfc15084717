import { commandContextOf } from '../../activities/journal/cause';
import { closeWorkspace, reopenWorkspace } from '../../activities/workspace/close';
import { getWorkspace, updateWorkspace } from '../../activities/workspace/workspace';
import { AppError } from '../../entities/errors';
import { hasRole } from '../../entities/rules/values/roles';
import { confirm } from '../auth/account-changes';
import { confirmByCode, factorErrors, requireFactor } from '../auth/second-factor';
import { member, merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import {
  CloseWorkspaceBody,
  presentWorkspace,
  problemsOfLimits,
  UpdateWorkspaceBody,
  WorkspaceDto,
} from './workspace.dto';

const route = routesOf('Workspace');

const responses = { 200: { type: WorkspaceDto } };

export const workspaceRoutes: Route[] = [
  route.get(
    '/api/v1/workspace',
    {
      name: 'getWorkspace',
      summary: 'Read your workspace',
      description: 'Its name and settings, and when it closes, if it does.',
      auth: merchant('viewer'),
      responses,
    },
    async (ctx) => {
      ctx.body = presentWorkspace(await getWorkspace(ctx.db, ctx.principal.workspaceId));
    },
  ),

  route.patch(
    '/api/v1/workspace',
    {
      name: 'updateWorkspace',
      summary: 'Change your workspace',
      description:
        'A field left out stays. The settings hold for both modes. Only an owner sets `requireTwoFactor`, ' +
        'and, confirmed by a code, how much may be sent within 24 hours and who may send it.',
      auth: merchant('admin'),
      body: UpdateWorkspaceBody,
      check: problemsOfLimits,
      responses,
      errors: factorErrors,
      prepare: async (ctx) => {
        const { requireTwoFactor, code, ...patch } = ctx.input.body;
        const isOfPayouts = patch.payoutDailyLimits ?? patch.payoutApproval;
        const isOwners = requireTwoFactor !== undefined || isOfPayouts !== undefined;
        if (isOwners && !hasRole(ctx.principal.role, 'owner')) throw new AppError('FORBIDDEN');
        if (isOfPayouts === undefined) return undefined;
        const { principal } = ctx;
        if (principal.kind !== 'merchant') throw new AppError('FORBIDDEN');
        const asking = Object.assign(ctx, { principal });
        return confirmByCode(asking, await requireFactor(asking), code);
      },
    },
    async (ctx, confirmed) => {
      const { code: _, ...patch } = ctx.input.body;
      const command = { ...patch, ...(confirmed && { confirmed }) };
      const workspace = await updateWorkspace(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentWorkspace(workspace);
    },
  ),

  route.delete(
    '/api/v1/workspace',
    {
      name: 'closeWorkspace',
      summary: 'Close your workspace',
      description:
        'In 30 days: `closesAt` says when. Until then everything goes on, sales and clicks too, and ' +
        '`POST /api/v1/workspace/reopen` takes it back. Then the data of both modes is deleted, keys, ' +
        'sessions and connections end, and only sums of the ledger stay. Owners and admins get a mail.',
      auth: member('owner'),
      body: CloseWorkspaceBody,
      bodyOptional: true,
      fieldCodes: [['confirmation', 'CONFIRMATION_INVALID']],
      responses,
      errors: ['PASSWORD_INVALID', 'WORKSPACE_PAYOUT_PROCESSING', 'WORKSPACE_NOT_CLOSING'],
      prepare: (ctx) => confirm(ctx, { side: 'merchant', password: ctx.input.body.password }),
    },
    async (ctx, seen) => {
      const workspace = await closeWorkspace(ctx.db, commandContextOf(ctx), { seen });
      ctx.body = presentWorkspace(workspace);
    },
  ),

  route.post(
    '/api/v1/workspace/reopen',
    {
      name: 'reopenWorkspace',
      summary: 'Take the closing of your workspace back',
      description: 'Until it has begun: nothing was deleted. Owners and admins get a mail.',
      auth: member('owner'),
      responses,
      errors: ['WORKSPACE_NOT_CLOSING'],
    },
    async (ctx) => {
      ctx.body = presentWorkspace(await reopenWorkspace(ctx.db, commandContextOf(ctx)));
    },
  ),
];
