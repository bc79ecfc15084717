import { applyToProgram } from '../../activities/partners/applications';
import { causeOf } from '../../activities/journal/cause';
import { partner } from '../http/contract/credential';
import { contract } from '../http/contract/contract';
import { route, type Route } from '../http/contract/route';
import { PageQuery, pageOf, toPage } from '../http/contract/pagination';
import {
  ParticipantDto,
  participantExample,
  presentParticipant,
} from '../participants/participants.dto';
import { getParticipantRow } from '../participants/participants.queries';
import {
  ApplicationBody,
  PartnerProgramDto,
  partnerProgramExample,
  presentPartnerProgram,
} from './partner-programs.dto';
import { listPartnerPrograms } from './partner-programs.queries';

const tag = 'Partner portal';

/**
 * The programmes that a partner is in, and applying to one (docs/reference/programmes.md,
 * Participants).
 */
export const partnerProgramRoutes: Route[] = [
  route.get(
    'listPartnerPrograms',
    '/api/v1/partner/programs',
    contract(
      {
        summary: "List the partner's programmes of the current mode",
        tag,
        auth: partner(),
        query: PageQuery,
        responses: {
          200: {
            type: pageOf(PartnerProgramDto),
            example: toPage([partnerProgramExample], 1, { page: 1, limit: 20 }),
          },
        },
      },
      async (ctx) => {
        const who = { partnerId: ctx.principal.accountId, mode: ctx.mode };
        const { rows, total } = await listPartnerPrograms(ctx.db, who, ctx.input.query);
        ctx.body = toPage(rows.map(presentPartnerProgram), total, ctx.input.query);
      },
    ),
  ),

  route.post(
    'applyToProgram',
    '/api/v1/partner/programs/:programId/applications',
    contract(
      {
        summary: 'Apply to a programme',
        tag,
        description: 'Approved at once where the approval mode is auto.',
        auth: partner(),
        params: { programId: 'PROGRAM_NOT_FOUND' },
        body: ApplicationBody,
        bodyOptional: true,
        responses: { 201: { type: ParticipantDto, example: participantExample } },
        errors: [
          'PROGRAM_NOT_FOUND',
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
        ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
      },
    ),
  ),
];
