import { causeOf, commandContextOf } from '../../activities/journal/cause';
import { deriveMailToken } from '../../runtime/crypto/mail-tokens';
import { acceptPartnerInvite } from '../../activities/partners/accept-invite';
import { findOpenInvite } from '../../activities/partners/open-invite';
import {
  deletePartnerInvite,
  invitePartner,
  resendPartnerInvite,
} from '../../activities/partners/invites';
import { programOf } from '../access';
import { merchant, open, partner } from '../http/contract/credential';
import { EmptyDto } from '../auth/auth.dto';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { ParticipantDto, presentOwnParticipant } from '../participants/participants.dto';
import { getParticipantRow } from '../participants/participants.queries';
import {
  AcceptPartnerInviteBody,
  CreatedPartnerInviteDto,
  InvitePartnerBody,
  InvitePreviewDto,
  InviteQuery,
  PartnerInviteDto,
  presentCreatedInvite,
  presentInvite,
  presentInvitePreview,
} from './partner-invites.dto';
import { listInvites } from './partner-invites.queries';
import { onlyOf } from '../http/contract/only-of';

const route = routesOf('Partners');
const collection = '/api/v1/programs/:programId/invites';
const item = `${collection}/:inviteId`;
const params = { programId: 'PROGRAM_NOT_FOUND', inviteId: 'NOT_FOUND' } as const;

const joined = { type: ParticipantDto };

/**
 * Invites into a programme, and their acceptance by the partner (docs/reference/programmes.md,
 * Participants).
 */
export const partnerInviteRoutes: Route[] = [
  route.post(
    collection,
    {
      name: 'invitePartner',
      summary: 'Invite a partner by e-mail',
      description:
        'The link holds for 14 days. Inviting the address of an open invite again kills its older link.',
      auth: merchant('member'),
      params: { programId: params.programId },
      body: InvitePartnerBody,
      responses: { 201: { type: CreatedPartnerInviteDto } },
      errors: ['PROGRAM_NOT_FOUND', 'PROGRAM_ARCHIVED', 'GROUP_NOT_FOUND'],
      noStore: true,
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const { email, name, groupId } = ctx.input.body;
      const invite = await invitePartner(ctx.db, commandContextOf(ctx), {
        programId,
        email,
        name,
        groupId,
      });
      const token = deriveMailToken(ctx.deps.vault, { purpose: 'partner_invite', ...invite });
      const { dashboardUrl } = ctx.deps.config;
      ctx.status = 201;
      ctx.set('Location', `/api/v1/programs/${programId}/invites/${invite.id}`);
      ctx.body = presentCreatedInvite(invite, { dashboardUrl, token });
    },
  ),

  route.get(
    collection,
    {
      name: 'listPartnerInvites',
      summary: 'List the invites of a programme, newest first',
      description: 'Open, accepted and expired ones; those that were withdrawn are not listed.',
      auth: merchant('viewer'),
      params: { programId: params.programId },
      query: InviteQuery,
      responses: pageAnswer(PartnerInviteDto),
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      const found = await listInvites(ctx.db, ctx.now, {
        ...ctx.input.query,
        programId: program.id,
      });
      ctx.body = toPage(ctx, found, (invite) => presentInvite(invite, ctx.now));
    },
  ),

  route.get(
    item,
    {
      name: 'getPartnerInvite',
      summary: 'Read an invite',
      description: 'As the list shows it.',
      auth: merchant('viewer'),
      params,
      responses: { 200: { type: PartnerInviteDto } },
      errors: ['PROGRAM_NOT_FOUND', 'NOT_FOUND'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const one = { programId, inviteId: ctx.input.params.inviteId, limit: 1 };
      ctx.body = presentInvite(onlyOf(await listInvites(ctx.db, ctx.now, one)), ctx.now);
    },
  ),

  route.post(
    `${item}/resend`,
    {
      name: 'resendPartnerInvite',
      summary: 'Send an invite again, with a new link of 14 days',
      description: 'The older link dies.',
      auth: merchant('member'),
      params,
      responses: { 202: { type: EmptyDto, description: 'The mail is on its way.' } },
      errors: ['PROGRAM_NOT_FOUND', 'NOT_FOUND', 'PROGRAM_ARCHIVED', 'INVITE_EXPIRED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const { inviteId } = ctx.input.params;
      await resendPartnerInvite(ctx.db, commandContextOf(ctx), { programId, inviteId });
      ctx.status = 202;
      ctx.body = {};
    },
  ),

  route.delete(
    item,
    {
      name: 'deletePartnerInvite',
      summary: 'Withdraw an invite; its link is dead',
      description: 'Whoever was invited can no longer use it.',
      auth: merchant('member'),
      params,
      responses: { 204: {} },
      errors: ['PROGRAM_NOT_FOUND', 'NOT_FOUND', 'PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const { inviteId } = ctx.input.params;
      await deletePartnerInvite(ctx.db, commandContextOf(ctx), { programId, inviteId });
      ctx.status = 204;
    },
  ),

  route.post(
    '/api/v1/partner/invites/preview',
    {
      name: 'previewPartnerInvite',
      summary: 'Read what an invite is for',
      description: 'Before one has an account: the token is all it takes, and nothing is spent.',
      auth: open(),
      body: AcceptPartnerInviteBody,
      responses: { 200: { type: InvitePreviewDto } },
      errors: ['INVITE_EXPIRED'],
      noStore: true,
    },
    async (ctx) => {
      const { db, now } = ctx;
      const stores = { db, vault: ctx.deps.vault };
      const { invite, program, group, workspaceName } = await findOpenInvite(stores, {
        token: ctx.input.body.token,
        now,
      });
      ctx.body = presentInvitePreview(invite, { program, group }, workspaceName);
    },
  ),

  route.post(
    '/api/v1/partner/invites/accept',
    {
      name: 'acceptPartnerInvite',
      summary: 'Take up an invite',
      description:
        'Whatever account holds the token; the first one spends it. Answers 200 when the partner was in the programme before.',
      auth: partner(),
      body: AcceptPartnerInviteBody,
      responses: { 200: joined, 201: joined },
      errors: [
        'AMOUNT_TOO_LARGE',
        'INVITE_EXPIRED',
        'PROGRAM_ARCHIVED',
        // A reset of test data may come between.
        'PARTICIPANT_NOT_FOUND',
        'PARTICIPANT_INVALID_TRANSITION',
        'PARTICIPANT_ERASED',
      ],
    },
    async (ctx) => {
      const { accountId: partnerId } = ctx.principal;
      const { token } = ctx.input.body;
      const { participantId, isNew } = await acceptPartnerInvite(
        { db: ctx.db, vault: ctx.deps.vault },
        causeOf(ctx),
        { token, partnerId, mode: ctx.mode },
      );
      ctx.status = isNew ? 201 : 200;
      if (isNew) ctx.set('Location', '/api/v1/partner/programs');
      ctx.body = presentOwnParticipant(await getParticipantRow(ctx.db, participantId));
    },
  ),
];
