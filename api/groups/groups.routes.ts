import { commandContextOf } from '../../activities/journal/cause';
import { createGroup, deleteGroup, updateGroup } from '../../activities/programs/groups';
import { groupProblems } from '../../entities/rules/programs/groups';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import { routesOf, type Route } from '../http/contract/route';
import {
  CreateGroupBody,
  GroupDto,
  UpdateGroupBody,
  groupPatchOf,
  newGroupOf,
  presentGroup,
} from './groups.dto';
import { getGroup, listGroups } from './groups.queries';

const route = routesOf('Groups');
const groupsPath = '/api/v1/programs/:programId/groups';
const groupPath = `${groupsPath}/:groupId`;
const inProgram = { programId: 'PROGRAM_NOT_FOUND' } as const;
const params = { ...inProgram, groupId: 'GROUP_NOT_FOUND' } as const;
const one = { type: GroupDto };

/** Groups of a programme, each with terms of its own (docs/reference/terms.md, Groups). */
export const groupRoutes: Route[] = [
  route.post(
    groupsPath,
    {
      name: 'createGroup',
      summary: 'Make a group',
      description: 'What it does not say is as the programme has it. At most 100 in a programme.',
      auth: merchant('admin'),
      params: inProgram,
      body: CreateGroupBody,
      check: groupProblems,
      responses: { 201: one },
      errors: ['PROGRAM_ARCHIVED', 'GROUP_NAME_TAKEN', 'GROUP_LIMIT'],
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      const command = { programId: program.id, group: newGroupOf(ctx.input.body) };
      const group = await createGroup(ctx.db, commandContextOf(ctx), command);
      ctx.status = 201;
      ctx.set('Location', `/api/v1/programs/${program.id}/groups/${group.id}`);
      ctx.body = presentGroup({ ...group, participants: 0 }, program);
    },
  ),

  route.get(
    groupsPath,
    {
      name: 'listGroups',
      summary: 'List the groups of a programme',
      description: 'The default group first, then in the order in which they were made.',
      auth: merchant('viewer'),
      params: inProgram,
      query: PageQuery,
      responses: pageAnswer(GroupDto),
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      const found = await listGroups(ctx.db, program.id, ctx.input.query);
      ctx.body = toPage(ctx, found, (row) => presentGroup(row, program));
    },
  ),

  route.get(
    groupPath,
    {
      name: 'getGroup',
      summary: 'Read a group',
      description: 'With the number of partners who are in it.',
      auth: merchant('viewer'),
      params,
      responses: { 200: one },
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      const key = { programId: program.id, groupId: ctx.input.params.groupId };
      ctx.body = presentGroup(await getGroup(ctx.db, key), program);
    },
  ),

  route.patch(
    groupPath,
    {
      name: 'updateGroup',
      summary: 'Change a group',
      description:
        'Any of the fields; commission is replaced as a whole. Of the default group only name and description. Existing commissions keep their terms.',
      auth: merchant('admin'),
      params,
      body: UpdateGroupBody,
      check: groupProblems,
      responses: { 200: one },
      errors: ['PROGRAM_ARCHIVED', 'GROUP_NAME_TAKEN'],
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      const key = { programId: program.id, groupId: ctx.input.params.groupId };
      const patch = groupPatchOf(ctx.input.body);
      const { notify = true } = ctx.input.body;
      await updateGroup(ctx.db, commandContextOf(ctx), { ...key, patch, notify });
      ctx.body = presentGroup(await getGroup(ctx.db, key), program);
    },
  ),

  route.delete(
    groupPath,
    {
      name: 'deleteGroup',
      summary: 'Delete a group that nothing leads into',
      description:
        'Partners in it who take no part any more count as in the default group from then on.',
      auth: merchant('admin'),
      params,
      responses: { 204: {} },
      errors: ['PROGRAM_ARCHIVED', 'GROUP_IN_USE'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const { groupId } = ctx.input.params;
      await deleteGroup(ctx.db, commandContextOf(ctx), { programId, groupId });
      ctx.status = 204;
    },
  ),
];
