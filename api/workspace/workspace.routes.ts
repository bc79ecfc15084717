import { commandContextOf } from '../../activities/journal/cause';
import { getWorkspace, updateWorkspace } from '../../activities/workspace/workspace';
import { AppError } from '../../entities/errors';
import { hasRole } from '../../entities/rules/values/roles';
import { merchant } from '../http/contract/credential';
import { contract } from '../http/contract/contract';
import { route, type Route } from '../http/contract/route';
import {
  presentWorkspace,
  UpdateWorkspaceBody,
  WorkspaceDto,
  workspaceExample,
} from './workspace.dto';

const tag = 'Workspace';

const responses = { 200: { type: WorkspaceDto, example: workspaceExample } };

export const workspaceRoutes: Route[] = [
  route.get(
    'getWorkspace',
    '/api/v1/workspace',
    contract(
      { summary: 'Read your workspace', tag, auth: merchant('viewer'), responses },
      async (ctx) => {
        ctx.body = presentWorkspace(await getWorkspace(ctx.db, ctx.principal.workspaceId));
      },
    ),
  ),

  route.patch(
    'updateWorkspace',
    '/api/v1/workspace',
    contract(
      {
        summary: 'Change your workspace',
        description:
          'A field left out stays. The settings hold for both modes. Only an owner sets `requireTwoFactor`.',
        tag,
        auth: merchant('admin'),
        body: UpdateWorkspaceBody,
        responses,
      },
      async (ctx) => {
        const { requireTwoFactor } = ctx.input.body;
        if (requireTwoFactor !== undefined && !hasRole(ctx.principal.role, 'owner')) {
          throw new AppError('FORBIDDEN');
        }
        const workspace = await updateWorkspace(ctx.db, commandContextOf(ctx), ctx.input.body);
        ctx.body = presentWorkspace(workspace);
      },
    ),
  ),
];
