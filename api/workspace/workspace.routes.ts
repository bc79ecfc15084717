import { commandContextOf } from '../../activities/journal/cause';
import { getWorkspace, updateWorkspace } from '../../activities/workspace/workspace';
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
        description: 'A field left out stays. The settings hold for both modes.',
        tag,
        auth: merchant('admin'),
        body: UpdateWorkspaceBody,
        responses,
      },
      async (ctx) => {
        const workspace = await updateWorkspace(ctx.db, commandContextOf(ctx), ctx.input.body);
        ctx.body = presentWorkspace(workspace);
      },
    ),
  ),
];
