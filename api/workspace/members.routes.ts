import { mailLink } from '../../activities/mail/links';
import { commandContextOf } from '../../activities/journal/cause';
import { inviteMember } from '../../activities/workspace/member-invites';
import { changeRole, removeMember } from '../../activities/workspace/members';
import { member } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import {
  ChangeRoleBody,
  InvitedMemberDto,
  InviteMemberBody,
  MemberDto,
  presentMember,
} from './members.dto';
import { listMembers } from './members.queries';
import { onlyOf } from '../http/contract/only-of';

const route = routesOf('Members');
const path = '/api/v1/workspace/members';

export const memberRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'listMembers',
      summary: 'List members and open invites',
      description:
        'Oldest first; an invite that is still open stands among them with the status `invited`.',
      auth: member('viewer'),
      query: PageQuery,
      responses: pageAnswer(MemberDto),
    },
    async (ctx) => {
      const page = ctx.input.query;
      const { workspaceId } = ctx.principal;
      const found = await listMembers(ctx.db, { workspaceId, now: ctx.now }, page);
      ctx.body = toPage(ctx, found, presentMember);
    },
  ),

  route.post(
    path,
    {
      name: 'inviteMember',
      summary: 'Invite a member to the workspace',
      description:
        'A mail with the link is sent. The answer does not reveal whether the address has an account. Inviting an address again makes the older link useless.',
      auth: member('owner'),
      body: InviteMemberBody,
      responses: { 201: { type: InvitedMemberDto } },
      noStore: true,
    },
    async (ctx) => {
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const invite = await inviteMember(stores, commandContextOf(ctx), ctx.input.body);
      const { id, email, role, token } = invite;
      const inviteUrl = mailLink(ctx.deps.config, 'member_invite', token);
      ctx.status = 201;
      ctx.set('Location', `${path}/${id}`);
      ctx.body = { id, email, role, status: 'invited', inviteUrl } satisfies InvitedMemberDto;
    },
  ),

  route.get(
    `${path}/:memberId`,
    {
      name: 'getMember',
      summary: 'Read a member or an open invite',
      description: 'As the list shows it.',
      auth: member('viewer'),
      params: { memberId: 'NOT_FOUND' },
      responses: { 200: { type: MemberDto } },
      errors: ['NOT_FOUND'],
    },
    async (ctx) => {
      const { workspaceId } = ctx.principal;
      const one = { ...ctx.input.params, limit: 1 };
      const found = await listMembers(ctx.db, { workspaceId, now: ctx.now }, one);
      ctx.body = presentMember(onlyOf(found));
    },
  ),

  route.patch(
    `${path}/:memberId`,
    {
      name: 'changeMemberRole',
      summary: 'Change the role of a member or an open invite',
      description: 'A workspace keeps at least one owner.',
      auth: member('owner'),
      params: { memberId: 'NOT_FOUND' },
      body: ChangeRoleBody,
      responses: { 200: { type: MemberDto } },
      errors: ['NOT_FOUND', 'LAST_OWNER'],
    },
    async (ctx) => {
      const command = { ...ctx.input.params, ...ctx.input.body };
      ctx.body = presentMember(await changeRole(ctx.db, commandContextOf(ctx), command));
    },
  ),

  route.delete(
    `${path}/:memberId`,
    {
      name: 'removeMember',
      summary: 'Remove a member, or withdraw an invite',
      description: 'The account ends at once and its address is free again.',
      auth: member('owner'),
      params: { memberId: 'NOT_FOUND' },
      responses: { 204: {} },
      errors: ['NOT_FOUND', 'LAST_OWNER'],
    },
    async (ctx) => {
      await removeMember(ctx.db, commandContextOf(ctx), ctx.input.params);
      ctx.status = 204;
    },
  ),
];
