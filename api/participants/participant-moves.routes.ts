import { commandContextOf } from '../../activities/journal/cause';
import { movePartner, movePartners } from '../../activities/partners/move';
import { AppError } from '../../entities/errors';
import { participantOf, programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import { routesOf, type Route } from '../http/contract/route';
import {
  BulkMoveBody,
  BulkMoveDto,
  BulkMoveFailedDto,
  MembershipDto,
  MoveBody,
  noneMovedExample,
  partlyMovedExample,
  presentMembership,
  presentMoves,
} from './participant-moves.dto';
import { listMemberships } from './participant-moves.queries';
import {
  participantParams as params,
  participantPath,
  participantsPath,
  participantsTag,
} from './participant-path';
import { ParticipantDto, presentParticipant } from './participants.dto';
import { getParticipantRow } from './participants.queries';

const route = routesOf(participantsTag);

/** Which group a partner is in (docs/reference/terms.md, Groups). */
export const participantMoveRoutes: Route[] = [
  route.post(
    `${participantsPath}/move`,
    {
      name: 'bulkMoveParticipants',
      summary: 'Move up to 100 partners to a group',
      description: 'Each by the rule of the single operation.',
      auth: merchant('member'),
      params: { programId: params.programId },
      body: BulkMoveBody,
      responses: {
        200: { type: BulkMoveDto, description: 'All are there.' },
        207: { type: BulkMoveDto, description: 'Some are there.', example: partlyMovedExample },
        422: { type: BulkMoveFailedDto, description: 'All failed.', example: noneMovedExample },
      },
      errors: ['BULK_ALL_FAILED', 'GROUP_NOT_FOUND', 'PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const command = { programId, ...ctx.input.body };
      const answer = presentMoves(await movePartners(ctx.db, commandContextOf(ctx), command));
      const { results, succeeded, failed } = answer;
      if (succeeded === 0) throw new AppError('BULK_ALL_FAILED', { extra: { results } });
      ctx.status = failed === 0 ? 200 : 207;
      ctx.body = answer;
    },
  ),

  route.patch(
    `${participantPath}/group`,
    {
      name: 'moveParticipant',
      summary: 'Move a partner to a group',
      description:
        'Payments that arrive from now on earn by its terms; what was earned stays as it is. An approved partner is told by mail. Where they are there already nothing happens.',
      auth: merchant('member'),
      params,
      body: MoveBody,
      responses: { 200: { type: ParticipantDto } },
      errors: ['AMOUNT_TOO_LARGE', 'GROUP_NOT_FOUND', 'PROGRAM_ARCHIVED', 'PARTICIPANT_ERASED'],
    },
    async (ctx) => {
      const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
      const command = { programId, participantId, ...ctx.input.body };
      await movePartner(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
    },
  ),

  route.get(
    `${participantPath}/groups`,
    {
      name: 'listParticipantGroups',
      summary: 'List the groups that a partner was in',
      description: 'Newest first, with who moved them and why.',
      auth: merchant('viewer'),
      params,
      query: PageQuery,
      responses: pageAnswer(MembershipDto),
    },
    async (ctx) => {
      const participant = await participantOf(ctx, ctx.input.params);
      const found = await listMemberships(ctx.db, participant.id, ctx.input.query);
      ctx.body = toPage(ctx, found, presentMembership);
    },
  ),
];
