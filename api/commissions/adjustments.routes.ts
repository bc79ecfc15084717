import { adjustBalance } from '../../activities/commissions/adjust';
import { commandContextOf } from '../../activities/journal/cause';
import { validationError } from '../../entities/errors';
import { participantOf, programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { absent, CurrencyCode, Int, OneOf, Text } from '../http/contract/validators';
import { CommissionDto } from './commissions.dto';
import { adjustmentExample } from './examples';
import { presentCommission } from './presenters';

const route = routesOf('Commissions');

const adjustmentKinds = ['adjustment', 'write_off'] as const;
type AdjustmentKind = (typeof adjustmentKinds)[number];

class AdjustmentBody {
  @Int({
    min: -1_000_000_000,
    max: 1_000_000_000,
    description: 'Minor units, not 0. Negative ones are netted from what is paid, like debts.',
    example: 2500,
  })
  amountCents!: number;

  @OneOf(adjustmentKinds, {
    optional: true,
    description:
      'write_off books a debt off, also of a partner who was erased or has left: a positive amount, ' +
      'at most the debt, in its currency. It is never paid.',
  })
  kind: AdjustmentKind = 'adjustment';

  @CurrencyCode({ ...absent, description: "Default: the programme's." })
  currency?: string | null;

  @Text({
    min: 1,
    max: 500,
    trim: true,
    description: 'The partner reads it.',
    example: 'Bonus for the spring campaign',
  })
  reason!: string;

  @Text({
    min: 1,
    max: 255,
    ...absent,
    description: 'Your id of it, once a programme: a repeat answers the first one.',
    example: 'bonus-2026-03',
  })
  externalId?: string | null;
}

/** Bonuses, corrections and debts that are forgiven (docs/reference/payouts.md, Adjustments). */
export const adjustmentRoutes: Route[] = [
  route.post(
    '/api/v1/programs/:programId/partners/:participantId/adjustments',
    {
      name: 'adjustBalance',
      summary: "Adjust a partner's balance",
      description:
        'A bonus, a correction or a debt that is forgiven: a commission without a sale, approved ' +
        'at once. Rejecting it undoes it while no payout has it.',
      auth: merchant('admin'),
      params: { programId: 'PROGRAM_NOT_FOUND', participantId: 'PARTICIPANT_NOT_FOUND' },
      body: AdjustmentBody,
      responses: {
        201: { type: CommissionDto, example: adjustmentExample },
        200: {
          type: CommissionDto,
          description: 'Made before under this externalId.',
          example: adjustmentExample,
        },
      },
      errors: ['PARTICIPANT_ERASED', 'ADJUSTMENT_EXTERNAL_ID_TAKEN', 'COMMISSION_NOT_FOUND'],
    },
    async (ctx) => {
      const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
      const { amountCents, reason, externalId = null, kind } = ctx.input.body;
      if (amountCents === 0) throw validationError('amountCents', 'must not be 0');
      const isWriteOff = kind === 'write_off';
      if (isWriteOff && amountCents < 0) {
        throw validationError('amountCents', 'must be positive: it is taken off the debt');
      }
      const currency = ctx.input.body.currency ?? (await programOf(ctx, programId)).currency;
      const of = { programId, participantId };
      const command = { ...of, amountCents, currency, reason, externalId, isWriteOff };
      const { record, isNew } = await adjustBalance(ctx.db, commandContextOf(ctx), command);
      ctx.status = isNew ? 201 : 200;
      ctx.set('Location', `/api/v1/programs/${programId}/commissions/${record.id}`);
      ctx.body = presentCommission(record, ctx.now);
    },
  ),
];
