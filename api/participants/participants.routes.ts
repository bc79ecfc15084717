import { commandContextOf } from '../../activities/journal/cause';
import { addPartner } from '../../activities/partners/add-partner';
import { participantOf, programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import { codeRoutes } from './participant-codes.routes';
import { participantDecisionRoutes } from './participant-decisions.routes';
import { participantMoveRoutes } from './participant-moves.routes';
import {
  participantParams,
  participantPath,
  participantsPath,
  participantsTag,
} from './participant-path';
import {
  AddPartnerBody,
  ParticipantDto,
  ParticipantQuery,
  presentParticipant,
} from './participants.dto';
import { getParticipantRow, listParticipants } from './participants.queries';
import { TrackingLinkDto, presentLink } from './tracking-links.dto';
import { listLinks } from './tracking-links.queries';

const route = routesOf(participantsTag);
const one = { type: ParticipantDto };

/** Partners in a programme, for the merchant (docs/reference/programmes.md, Participants). */
export const participantRoutes: Route[] = [
  route.get(
    participantsPath,
    {
      name: 'listParticipants',
      summary: 'List the participants of a programme',
      description: 'With codes, clicks, sales, revenue and commissions of each.',
      auth: merchant('viewer'),
      params: { programId: participantParams.programId },
      query: ParticipantQuery,
      responses: pageAnswer(ParticipantDto),
      errors: ['AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      const found = await listParticipants(ctx.db, program.id, ctx.input.query);
      ctx.body = toPage(ctx, found, presentParticipant);
    },
  ),

  route.post(
    participantsPath,
    {
      name: 'addPartner',
      summary: 'Add a partner from your server',
      description: [
        'Makes an approved participant at once; a mail tells the person, who chooses a password when',
        'they have no account. `partnerName` is the one given until they open the programme',
        '(`claimed`), then theirs. 200 for an address that is in the programme already, which',
        'changes nothing. To ask first, invite them.',
      ].join(' '),
      auth: merchant('member'),
      params: { programId: participantParams.programId },
      body: AddPartnerBody,
      responses: { 200: one, 201: one },
      errors: [
        'PROGRAM_ARCHIVED',
        'GROUP_NOT_FOUND',
        // A reset of test data may come between the answer's two reads.
        'PARTICIPANT_NOT_FOUND',
        'PARTICIPANT_ERASED',
        'REFERRAL_CODE_TAKEN',
        'AMOUNT_TOO_LARGE',
      ],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const command = { programId, ...ctx.input.body };
      const { participantId, isNew } = await addPartner(stores, commandContextOf(ctx), command);
      ctx.status = isNew ? 201 : 200;
      if (isNew) ctx.set('Location', `/api/v1/programs/${programId}/partners/${participantId}`);
      ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
    },
  ),

  route.get(
    participantPath,
    {
      name: 'getParticipant',
      summary: 'Read a participant',
      description: 'With codes, clicks, sales, revenue and commissions.',
      auth: merchant('viewer'),
      params: participantParams,
      responses: { 200: one },
      errors: ['AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const participant = await participantOf(ctx, ctx.input.params);
      ctx.body = presentParticipant(await getParticipantRow(ctx.db, participant.id));
    },
  ),

  route.get(
    `${participantPath}/links`,
    {
      name: 'listParticipantLinks',
      summary: "List a participant's links",
      description: 'The default link, whose token is the referral code, comes first.',
      auth: merchant('viewer'),
      params: participantParams,
      query: PageQuery,
      responses: pageAnswer(TrackingLinkDto),
    },
    async (ctx) => {
      const participant = await participantOf(ctx, ctx.input.params);
      const found = await listLinks(ctx.db, participant.id, ctx.input.query);
      ctx.body = toPage(ctx, found, presentLink);
    },
  ),

  ...participantMoveRoutes,
  ...participantDecisionRoutes,
  ...codeRoutes,
];
