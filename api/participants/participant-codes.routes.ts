import { commandContextOf } from '../../activities/journal/cause';
import {
  addPromoCode,
  changeReferralCode,
  removePromoCode,
  syncPromoCode,
} from '../../activities/partners/promo-codes';
import { withoutUnseenEnds } from '../../entities/rules/values/identifier';
import { participantOf } from '../access';
import { merchant } from '../http/contract/credential';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import { routesOf, type Route } from '../http/contract/route';
import { participantParams as params, participantPath, participantsTag } from './participant-path';
import { ParticipantDto, ReferralCodeBody, presentParticipant } from './participants.dto';
import {
  discountOf,
  NewPromoCodeBody,
  ParticipantWithCodeDto,
  presentPromoCode,
  PromoCodeDto,
} from './promo-codes.dto';
import { listPromoCodes, promoCodeOf } from './promo-codes.queries';
import { getParticipantRow } from './participants.queries';

const route = routesOf(participantsTag);
const errors = ['PROGRAM_ARCHIVED', 'PARTICIPANT_ERASED'] as const;
const answer = { type: ParticipantDto };

/** Promo codes and the referral code of a participant. */
export const codeRoutes: Route[] = [
  route.post(
    `${participantPath}/promo-codes`,
    {
      name: 'addPromoCode',
      summary: 'Give a promo code to a participant',
      description:
        'A code belongs to one participant of the workspace and mode. With a discount it is made at each biller that is connected; what fails there leaves the code here.',
      auth: merchant('member'),
      params,
      body: NewPromoCodeBody,
      responses: { 201: { type: ParticipantWithCodeDto } },
      errors: [...errors, 'AMOUNT_TOO_LARGE', 'PROMO_CODE_TAKEN'],
    },
    async (ctx) => {
      const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
      const { code } = ctx.input.body;
      const discount = discountOf(ctx.input.body.discount);
      const command = { programId, participantId, code, discount };
      await addPromoCode(ctx.db, commandContextOf(ctx), command);
      ctx.status = 201;
      ctx.set('Location', `/api/v1/programs/${programId}/partners/${participantId}`);
      const added = await promoCodeOf(ctx.db, participantId, code);
      const participant = presentParticipant(await getParticipantRow(ctx.db, participantId));
      ctx.body = { ...participant, promoCode: added && presentPromoCode(added) };
    },
  ),

  route.get(
    `${participantPath}/promo-codes`,
    {
      name: 'listPromoCodes',
      summary: 'List promo codes, and where each works',
      description: 'Oldest first.',
      auth: merchant('viewer'),
      params,
      query: PageQuery,
      responses: pageAnswer(PromoCodeDto),
    },
    async (ctx) => {
      const { id: participantId } = await participantOf(ctx, ctx.input.params);
      const found = await listPromoCodes(ctx.db, participantId, ctx.input.query);
      ctx.body = toPage(ctx, found, presentPromoCode);
    },
  ),

  route.post(
    `${participantPath}/promo-codes/:code/sync`,
    {
      name: 'syncPromoCode',
      summary: 'Have a promo code made at billers once more',
      description:
        'At those that were connected since, and where it failed. A code without a discount is made nowhere.',
      auth: merchant('member'),
      params: { ...params, code: { text: 'NOT_FOUND' } },
      responses: { 202: { type: PromoCodeDto } },
      errors,
    },
    async (ctx) => {
      const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
      const code = withoutUnseenEnds(ctx.input.params.code);
      await syncPromoCode(ctx.db, commandContextOf(ctx), { programId, participantId, code });
      ctx.status = 202;
      const synced = await promoCodeOf(ctx.db, participantId, code);
      ctx.body = synced && presentPromoCode(synced);
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
