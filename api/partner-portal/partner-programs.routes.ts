import { openParticipation } from '../../activities/partners/add-partner';
import { applyToProgram } from '../../activities/partners/applications';
import { leaveProgram } from '../../activities/partners/leave';
import { defaultGroupRow, findGroup } from '../../activities/programs/group-rows';
import { standingOf } from '../../activities/standings/own-standing';
import { findById } from '../../entities/database/find';
import { AppError } from '../../entities/errors';
import { Program } from '../../entities/tables/programs/program.entity';
import { participationOf, partnerContextOf } from '../access';
import { causeOf } from '../../activities/journal/cause';
import { partner } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import { ParticipantDto, presentOwnParticipant } from '../participants/participants.dto';
import { getParticipantRow } from '../participants/participants.queries';
import { ApplicationBody, PartnerProgramDto, presentPartnerProgram } from './partner-programs.dto';
import { listPartnerPrograms } from './partner-programs.queries';
import { PartnerTermsDto, presentPartnerTerms } from './partner-terms.dto';

const route = routesOf('Partner portal');

/**
 * The programmes that a partner is in, and applying to one (docs/reference/programmes.md,
 * Participants).
 */
export const partnerProgramRoutes: Route[] = [
  route.get(
    '/api/v1/partner/programs',
    {
      name: 'listPartnerPrograms',
      summary: "List the partner's programmes of the current mode",
      description: 'Latest joined first, in any workspace, with your status and codes in each.',
      auth: partner(),
      query: PageQuery,
      responses: pageAnswer(PartnerProgramDto),
    },
    async (ctx) => {
      const who = { partnerId: ctx.principal.accountId, mode: ctx.mode };
      const found = await listPartnerPrograms(ctx.db, who, ctx.input.query);
      ctx.body = toPage(ctx, found, presentPartnerProgram);
    },
  ),

  route.get(
    '/api/v1/partner/programs/:programId',
    {
      name: 'getPartnerProgram',
      summary: 'Read a programme with the terms that apply to you',
      description: 'Also where it takes no applications, for those who are in it.',
      auth: partner(),
      params: { programId: 'PROGRAM_NOT_FOUND' },
      responses: { 200: { type: PartnerTermsDto } },
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const participant = await participationOf(ctx, ctx.input.params.programId);
      const program = await findById(ctx.db, Program, participant.programId);
      if (!program || participant.erasedAt) throw new AppError('PROGRAM_NOT_FOUND');
      await openParticipation(ctx.db, ctx, participant);
      const group = await findGroup(ctx.db, program, participant.groupId ?? program.id);
      const standing = await standingOf(ctx.db, program, participant);
      const own = { group: group ?? defaultGroupRow(program), ...standing };
      ctx.body = presentPartnerTerms(program, participant, own);
    },
  ),

  route.post(
    '/api/v1/partner/programs/:programId/leave',
    {
      name: 'leaveProgram',
      summary: 'Leave a programme',
      description: 'Links stop at once, what was earned goes on. One may apply again.',
      auth: partner(),
      params: { programId: 'PROGRAM_NOT_FOUND' },
      responses: { 204: {} },
      errors: ['PROGRAM_NOT_FOUND', 'PARTICIPANT_ERASED', 'PARTICIPANT_INVALID_TRANSITION'],
    },
    async (ctx) => {
      const participant = await participationOf(ctx, ctx.input.params.programId);
      const { id: participantId, programId } = participant;
      await leaveProgram(ctx.db, partnerContextOf(ctx, participant), {
        programId,
        participantId,
      });
      ctx.status = 204;
    },
  ),

  route.post(
    '/api/v1/partner/programs/:programId/applications',
    {
      name: 'applyToProgram',
      summary: 'Apply to a programme',
      description: 'Approved at once where the approval mode is auto.',
      auth: partner(),
      params: { programId: 'PROGRAM_NOT_FOUND' },
      body: ApplicationBody,
      bodyOptional: true,
      responses: { 201: { type: ParticipantDto } },
      errors: [
        'PROGRAM_NOT_FOUND',
        // A reset of test data may come between.
        'PARTICIPANT_NOT_FOUND',
        'AMOUNT_TOO_LARGE',
        'APPLICATIONS_CLOSED',
        'PROGRAM_ARCHIVED',
        'PARTICIPANT_ERASED',
        'APPLICATION_DUPLICATE',
        'REFERRAL_CODE_TAKEN',
      ],
    },
    async (ctx) => {
      const participantId = await applyToProgram(
        { db: ctx.db, vault: ctx.deps.vault },
        causeOf(ctx),
        {
          ...ctx.input.body,
          programId: ctx.input.params.programId,
          partnerId: ctx.principal.accountId,
          mode: ctx.mode,
        },
      );
      ctx.status = 201;
      ctx.set('Location', '/api/v1/partner/programs');
      ctx.body = presentOwnParticipant(await getParticipantRow(ctx.db, participantId));
    },
  ),
];
