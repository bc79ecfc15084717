import Router from '@koa/router';
import { causeOf } from '../../activities/cause';
import {
  decideParticipant,
  type ParticipantDecision,
} from '../../activities/participant-decisions.activities';
import {
  addPromoCode,
  changeReferralCode,
  removePromoCode,
} from '../../activities/promo-codes.activities';
import { participantOf, programOf } from '../access';
import { merchant } from '../http/auth';
import { contract } from '../http/contract';
import { PageQuery, pageOf, toPage } from '../http/pagination';
import {
  ParticipantDto,
  ParticipantQuery,
  PromoCodeBody,
  ReasonBody,
  ReferralCodeBody,
  participantExample,
  presentParticipant,
} from './participants.dto';
import { getParticipantRow, listParticipants } from './participants.queries';
import { TrackingLinkDto, linkExample, presentLink } from './tracking-links.dto';
import { listLinks } from './tracking-links.queries';

const tag = 'Participants';
const collection = '/api/v1/programs/:programId/partners';
const item = `${collection}/:participantId`;
const params = {
  programId: 'PROGRAM_NOT_FOUND',
  participantId: 'PARTICIPANT_NOT_FOUND',
} as const;
const notFound = ['PROGRAM_NOT_FOUND', 'PARTICIPANT_NOT_FOUND'] as const;
const one = { 200: { type: ParticipantDto, example: participantExample } };

/** Partners in a programme, for the merchant (contract part 3). */
export function participantRoutes(): Router {
  const router = new Router();
  addReads(router);
  addPlainDecision(router, 'approve', 'Approve a pending or rejected participant');
  addReasonedDecision(router, 'reject', 'Reject a pending participant');
  addReasonedDecision(router, 'suspend', 'Suspend an approved participant');
  addPlainDecision(router, 'reinstate', 'Reinstate a suspended participant');
  addCodes(router);
  return router;
}

function addReads(router: Router): void {
  router.get(
    'listParticipants',
    collection,
    contract(
      {
        summary: 'List the participants of a programme',
        tag,
        auth: merchant('viewer'),
        params: { programId: params.programId },
        query: ParticipantQuery,
        responses: {
          200: {
            type: pageOf(ParticipantDto),
            example: toPage([participantExample], 1, { page: 1, limit: 20 }),
          },
        },
        errors: ['PROGRAM_NOT_FOUND'],
      },
      async (ctx) => {
        const program = await programOf(ctx, ctx.input.params.programId);
        const { rows, total } = await listParticipants(ctx.db, program.id, ctx.input.query);
        ctx.body = toPage(rows.map(presentParticipant), total, ctx.input.query);
      },
    ),
  );

  router.get(
    'getParticipant',
    item,
    contract(
      {
        summary: 'Read a participant',
        tag,
        auth: merchant('viewer'),
        params,
        responses: one,
        errors: notFound,
      },
      async (ctx) => {
        const participant = await participantOf(ctx, ctx.input.params);
        ctx.body = presentParticipant(await getParticipantRow(ctx.db, participant.id));
      },
    ),
  );

  router.get(
    'listParticipantLinks',
    `${item}/links`,
    contract(
      {
        summary: "List a participant's links",
        tag,
        auth: merchant('viewer'),
        params,
        query: PageQuery,
        responses: {
          200: {
            type: pageOf(TrackingLinkDto),
            example: toPage([linkExample], 1, { page: 1, limit: 20 }),
          },
        },
        errors: notFound,
      },
      async (ctx) => {
        const participant = await participantOf(ctx, ctx.input.params);
        const { rows, total } = await listLinks(ctx.db, participant.id, ctx.input.query);
        ctx.body = toPage(rows.map(presentLink), total, ctx.input.query);
      },
    ),
  );
}

const decisionErrors = [
  ...notFound,
  'PARTICIPANT_INVALID_TRANSITION',
  'PARTICIPANT_ERASED',
] as const;

function addPlainDecision(router: Router, decision: ParticipantDecision, summary: string): void {
  router.patch(
    `${decision}Participant`,
    `${item}/${decision}`,
    contract(
      { summary, tag, auth: merchant('member'), params, responses: one, errors: decisionErrors },
      async (ctx) => {
        const { id, programId } = await participantOf(ctx, ctx.input.params);
        await decideParticipant(ctx.db, {
          ...causeOf(ctx),
          programId,
          participantId: id,
          decision,
        });
        ctx.body = presentParticipant(await getParticipantRow(ctx.db, id));
      },
    ),
  );
}

function addReasonedDecision(router: Router, decision: ParticipantDecision, summary: string): void {
  router.patch(
    `${decision}Participant`,
    `${item}/${decision}`,
    contract(
      {
        summary,
        tag,
        auth: merchant('member'),
        params,
        body: ReasonBody,
        responses: one,
        errors: decisionErrors,
      },
      async (ctx) => {
        const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
        const { reason } = ctx.input.body;
        const command = { ...causeOf(ctx), programId, participantId, decision, reason };
        await decideParticipant(ctx.db, command);
        ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
      },
    ),
  );
}

function addCodes(router: Router): void {
  const errors = [...notFound, 'PROGRAM_ARCHIVED', 'PARTICIPANT_ERASED'] as const;

  router.post(
    'addPromoCode',
    `${item}/promo-codes`,
    contract(
      {
        summary: 'Give a promo code to a participant',
        tag,
        auth: merchant('member'),
        params,
        body: PromoCodeBody,
        responses: { 201: { type: ParticipantDto, example: participantExample } },
        errors: [...errors, 'PROMO_CODE_TAKEN'],
      },
      async (ctx) => {
        const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
        const { code } = ctx.input.body;
        await addPromoCode(ctx.db, { ...causeOf(ctx), programId, participantId, code });
        ctx.status = 201;
        ctx.set('Location', `/api/v1/programs/${programId}/partners/${participantId}`);
        ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
      },
    ),
  );

  router.delete(
    'removePromoCode',
    `${item}/promo-codes/:code`,
    contract(
      {
        summary: 'Take a promo code away; it is free again',
        tag,
        auth: merchant('member'),
        params: { ...params, code: { text: 'NOT_FOUND' } },
        responses: { 204: {} },
        errors: [...notFound, 'NOT_FOUND', 'PARTICIPANT_ERASED'],
      },
      async (ctx) => {
        const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
        const { code } = ctx.input.params;
        await removePromoCode(ctx.db, { ...causeOf(ctx), programId, participantId, code });
        ctx.status = 204;
      },
    ),
  );

  router.patch(
    'changeReferralCode',
    `${item}/referral-code`,
    contract(
      {
        summary: 'Set the referral code',
        tag,
        description: 'The replaced code keeps leading to this participant.',
        auth: merchant('member'),
        params,
        body: ReferralCodeBody,
        responses: one,
        errors: [...errors, 'REFERRAL_CODE_TAKEN'],
      },
      async (ctx) => {
        const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
        const code = ctx.input.body.referralCode;
        await changeReferralCode(ctx.db, { ...causeOf(ctx), programId, participantId, code });
        ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
      },
    ),
  );
}
