import { commandContextOf } from '../../activities/journal/cause';
import {
  decideCommissions,
  elapseHold,
  type BulkResult,
  type DecideCommand,
  type DecisionBatch,
} from '../../activities/commissions/decide';
import type { CommissionRecord } from '../../activities/commissions/records';
import { AppError, type ErrorCode } from '../../entities/errors';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { BulkAllFailedDto, BulkResultDto } from './commission-answers.dto';
import {
  ApproveOverrideBody,
  BulkApproveBody,
  BulkRejectBody,
  CommissionDto,
  RejectBody,
} from './commissions.dto';
import { bulkAllFailedExample, bulkPartialExample, rejectedExample } from './examples';
import { presentBulk, presentCommission } from './presenters';

const route = routesOf('Commissions');
const path = '/api/v1/programs/:programId/commissions';
const inProgram = { programId: 'PROGRAM_NOT_FOUND' } as const;
const params = { ...inProgram, commissionId: 'COMMISSION_NOT_FOUND' } as const;
const approved = { 200: { type: CommissionDto } };
const rejected = { 200: { type: CommissionDto, example: rejectedExample } };

const bulkResponses = {
  200: { type: BulkResultDto, description: 'All succeeded.' },
  207: { type: BulkResultDto, description: 'Some succeeded.', example: bulkPartialExample },
  422: { type: BulkAllFailedDto, description: 'All failed.', example: bulkAllFailedExample },
};

/** What a merchant decides: the bulk paths first, or they would be read as ids. */
export const commissionDecisionRoutes: Route[] = [
  bulk('approve', {
    name: 'bulkApproveCommissions',
    summary: 'Approve up to 100 commissions',
    description: 'Each by the rule of the single operation.',
    body: BulkApproveBody,
  }),
  bulk('reject', {
    name: 'bulkRejectCommissions',
    summary: 'Reject up to 100 commissions for one reason',
    description:
      'One after the other: those that cannot be rejected are listed with the reason, the rest are.',
    body: BulkRejectBody,
  }),

  single('approve', {
    name: 'approveCommission',
    summary: 'Approve a commission whose hold is over',
    description: 'For a flagged one this is the manual review: it clears all but a dispute.',
    responses: approved,
    errors: ['COMMISSION_NOT_PENDING', 'COMMISSION_HOLD_ACTIVE', 'PARTICIPANT_ERASED'],
  }),
  single('approve_override', {
    name: 'approveCommissionOverride',
    summary: 'Approve a commission before its hold is over',
    description:
      'Needs a reason, which the history keeps. A flagged one is approved by its review instead.',
    body: ApproveOverrideBody,
    responses: approved,
    errors: [
      'COMMISSION_NOT_PENDING',
      'COMMISSION_NEEDS_REVIEW',
      'COMMISSION_HOLD_NOT_ACTIVE',
      'PARTICIPANT_ERASED',
    ],
  }),
  single('reject', {
    name: 'rejectCommission',
    summary: 'Reject a pending or approved commission',
    description: 'Nothing is owed for it any more. The partner reads the reason.',
    body: RejectBody,
    responses: rejected,
    errors: ['COMMISSION_TERMINAL', 'COMMISSION_IN_PAYOUT'],
  }),

  route.post(
    `${path}/:commissionId/elapse-hold`,
    {
      name: 'elapseCommissionHold',
      auth: merchant('member'),
      summary: 'End the hold of a commission now (test mode)',
      description:
        'As time would, automatic approval included. Any commission in live mode: FORBIDDEN.',
      params,
      responses: approved,
      errors: ['FORBIDDEN', 'COMMISSION_NOT_PENDING', 'COMMISSION_HOLD_NOT_ACTIVE'],
    },
    async (ctx) => {
      const { programId, commissionId } = ctx.input.params;
      if (ctx.mode !== 'test') throw new AppError('FORBIDDEN');
      await programOf(ctx, programId);
      const command = { programId, commissionId };
      const record = await elapseHold(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentCommission(record, ctx.now);
    },
  ),
];

interface Bulk {
  name: string;
  summary: string;
  description?: string;
  body: new () => { commissionIds: string[]; reason?: string };
}

function bulk(decision: 'approve' | 'reject', spec: Bulk): Route {
  return route.patch(
    `${path}/bulk-${decision}`,
    {
      ...spec,
      auth: merchant('member'),
      params: inProgram,
      responses: bulkResponses,
      errors: ['BULK_ALL_FAILED'],
    },
    async (ctx) => {
      const { programId } = ctx.input.params;
      const { commissionIds, reason = null } = ctx.input.body;
      await programOf(ctx, programId);
      const command = { programId, commissionIds, decision, reason };
      answerBulk(ctx, await decideCommissions(ctx.db, commandContextOf(ctx), command));
    },
  );
}

interface Single {
  name: string;
  summary: string;
  description?: string;
  body?: new () => { reason?: string };
  responses: typeof approved;
  errors: readonly ErrorCode[];
}

/** One commission; the path says of the decision what its name does. */
function single(decision: DecideCommand['decision'], spec: Single): Route {
  return route.patch(
    `${path}/:commissionId/${decision.replace('_', '-')}`,
    {
      ...spec,
      auth: merchant('member'),
      params,
    },
    async (ctx) => {
      const { programId, commissionId } = ctx.input.params;
      const { reason = null } = ctx.input.body;
      const command = { programId, commissionId, decision, reason };
      const record = await decideIn(ctx, ctx.services.decisions, command);
      ctx.body = presentCommission(record, ctx.now);
    },
  );
}

/**
 * A commission that is found in the programme proves that the programme is there and the caller's,
 * so the programme is looked at only when there is none.
 */
async function decideIn(
  ctx: Parameters<typeof programOf>[0] & Parameters<typeof commandContextOf>[0],
  decisions: DecisionBatch,
  command: DecideCommand & { programId: string },
): Promise<CommissionRecord> {
  try {
    return await decisions.decide(commandContextOf(ctx), command);
  } catch (error) {
    const isMissing = error instanceof AppError && error.code === 'COMMISSION_NOT_FOUND';
    if (isMissing) await programOf(ctx, command.programId);
    throw error;
  }
}

function answerBulk(ctx: { status: number; body: unknown }, results: readonly BulkResult[]): void {
  const answer = presentBulk(results);
  if (answer.succeeded === 0) {
    throw new AppError('BULK_ALL_FAILED', { extra: { results: answer.results } });
  }
  ctx.status = answer.failed === 0 ? 200 : 207;
  ctx.body = answer;
}
