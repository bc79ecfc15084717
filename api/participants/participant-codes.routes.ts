import { commandContextOf } from '../../activities/journal/cause';
import {
  addPromoCode,
  changeReferralCode,
  removePromoCode,
} from '../../activities/partners/promo-codes';
import { withoutUnseenEnds } from '../../entities/rules/values/identifier';
import { participantOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { participantParams as params, participantPath, participantsTag } from './participant-path';
import {
  ParticipantDto,
  PromoCodeBody,
  ReferralCodeBody,
  participantExample,
  presentParticipant,
} from './participants.dto';
import { getParticipantRow } from './participants.queries';

const route = routesOf(participantsTag);
const errors = ['PROGRAM_ARCHIVED', 'PARTICIPANT_ERASED'] as const;
const answer = { type: ParticipantDto, example: participantExample };

/** Promo codes and the referral code of a participant. */
export const codeRoutes: Route[] = [
  route.post(
    `${participantPath}/promo-codes`,
    {
      name: 'addPromoCode',
      summary: 'Give a promo code to a participant',
      description: 'A code belongs to one participant of the workspace and mode.',
      auth: merchant('member'),
      params,
      body: PromoCodeBody,
      responses: { 201: answer },
      errors: [...errors, 'AMOUNT_TOO_LARGE', 'PROMO_CODE_TAKEN'],
    },
    async (ctx) => {
      const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
      const { code } = ctx.input.body;
      await addPromoCode(ctx.db, commandContextOf(ctx), { programId, participantId, code });
      ctx.status = 201;
      ctx.set('Location', `/api/v1/programs/${programId}/partners/${participantId}`);
      ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
    },
  ),

  route.delete(
    `${participantPath}/promo-codes/:code`,
    {
      name: 'removePromoCode',
      summary: 'Take a promo code away; it is free again',
      description: 'Sales that it has won stay credited.',
      auth: merchant('member'),
      params: { ...params, code: { text: 'NOT_FOUND' } },
      responses: { 204: {} },
      errors,
    },
    async (ctx) => {
      const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
      const code = withoutUnseenEnds(ctx.input.params.code);
      await removePromoCode(ctx.db, commandContextOf(ctx), { programId, participantId, code });
      ctx.status = 204;
    },
  ),

  route.patch(
    `${participantPath}/referral-code`,
    {
      name: 'changeReferralCode',
      summary: 'Set the referral code',
      description: 'The replaced code keeps leading to this participant.',
      auth: merchant('member'),
      params,
      body: ReferralCodeBody,
      responses: { 200: answer },
      errors: [...errors, 'AMOUNT_TOO_LARGE', 'REFERRAL_CODE_TAKEN'],
    },
    async (ctx) => {
      const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
      const stores = { db: ctx.db, vault: ctx.deps.vault };
      const command = { programId, participantId, code: ctx.input.body.referralCode };
      await changeReferralCode(stores, commandContextOf(ctx), command);
      ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
    },
  ),
];
