import { commandContextOf } from '../../activities/journal/cause';
import { decideCommissions, elapseHold } from '../../activities/commissions/decide';
import type { BulkResult, DecideCommand, DecisionBatch } from '../../activities/commissions/decide';
import type { CommissionRecord } from '../../activities/commissions/records';
import { AppError } from '../../entities/errors';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { contract } from '../http/contract/contract';
import { route, type Route } from '../http/contract/route';
import { BulkAllFailedDto, BulkResultDto } from './commission-answers.dto';
import {
  ApproveOverrideBody,
  BulkApproveBody,
  BulkRejectBody,
  CommissionDto,
  RejectBody,
} from './commissions.dto';
import {
  bulkAllFailedExample,
  bulkExample,
  bulkPartialExample,
  commissionExample,
  rejectedExample,
} from './examples';
import { presentBulk, presentCommission } from './presenters';

const tag = 'Commissions';
const path = '/api/v1/programs/:programId/commissions';
const params = {
  programId: 'PROGRAM_NOT_FOUND',
  commissionId: 'COMMISSION_NOT_FOUND',
} as const;
const approved = { 200: { type: CommissionDto, example: commissionExample } };
const missing = ['PROGRAM_NOT_FOUND', 'COMMISSION_NOT_FOUND'] as const;

const bulkResponses = {
  200: { type: BulkResultDto, description: 'All succeeded.', example: bulkExample },
  207: { type: BulkResultDto, description: 'Some succeeded.', example: bulkPartialExample },
  422: { type: BulkAllFailedDto, description: 'All failed.', example: bulkAllFailedExample },
};

/** What a merchant decides: the bulk paths first, or they would be read as ids. */
export const commissionDecisionRoutes: Route[] = [
  route.patch(
    'bulkApproveCommissions',
    `${path}/bulk-approve`,
    contract(
      {
        summary: 'Approve up to 100 commissions',
        tag,
        description: 'Each by the rule of the single operation.',
        auth: merchant('member'),
        params: { programId: 'PROGRAM_NOT_FOUND' },
        body: BulkApproveBody,
        responses: bulkResponses,
        errors: ['PROGRAM_NOT_FOUND', 'BULK_ALL_FAILED'],
      },
      async (ctx) => {
        const { programId } = ctx.input.params;
        const { commissionIds } = ctx.input.body;
        await programOf(ctx, programId);
        const command = { programId, commissionIds, decision: 'approve', reason: null } as const;
        answerBulk(ctx, await decideCommissions(ctx.db, commandContextOf(ctx), command));
      },
    ),
  ),

  route.patch(
    'bulkRejectCommissions',
    `${path}/bulk-reject`,
    contract(
      {
        summary: 'Reject up to 100 commissions for one reason',
        tag,
        auth: merchant('member'),
        params: { programId: 'PROGRAM_NOT_FOUND' },
        body: BulkRejectBody,
        responses: bulkResponses,
        errors: ['PROGRAM_NOT_FOUND', 'BULK_ALL_FAILED'],
      },
      async (ctx) => {
        const { programId } = ctx.input.params;
        const { commissionIds, reason } = ctx.input.body;
        await programOf(ctx, programId);
        const command = { programId, commissionIds, decision: 'reject', reason } as const;
        answerBulk(ctx, await decideCommissions(ctx.db, commandContextOf(ctx), command));
      },
    ),
  ),

  route.patch(
    'approveCommission',
    `${path}/:commissionId/approve`,
    contract(
      {
        summary: 'Approve a commission whose hold is over',
        tag,
        description: 'For a flagged one this is the manual review: it clears all but a dispute.',
        auth: merchant('member'),
        params,
        responses: approved,
        errors: [
          ...missing,
          'COMMISSION_NOT_PENDING',
          'COMMISSION_HOLD_ACTIVE',
          'PARTICIPANT_ERASED',
        ],
      },
      async (ctx) => {
        const { programId, commissionId } = ctx.input.params;
        const command = { programId, commissionId, decision: 'approve', reason: null } as const;
        const record = await decideIn(ctx, ctx.services.decisions, command);
        ctx.body = presentCommission(record, ctx.now);
      },
    ),
  ),

  route.patch(
    'approveCommissionOverride',
    `${path}/:commissionId/approve-override`,
    contract(
      {
        summary: 'Approve a commission before its hold is over',
        tag,
        auth: merchant('member'),
        params,
        body: ApproveOverrideBody,
        responses: approved,
        errors: [
          ...missing,
          'COMMISSION_NOT_PENDING',
          'COMMISSION_NEEDS_REVIEW',
          'COMMISSION_HOLD_NOT_ACTIVE',
          'PARTICIPANT_ERASED',
        ],
      },
      async (ctx) => {
        const { programId, commissionId } = ctx.input.params;
        const { reason } = ctx.input.body;
        const command = { programId, commissionId, decision: 'approve_override', reason } as const;
        const record = await decideIn(ctx, ctx.services.decisions, command);
        ctx.body = presentCommission(record, ctx.now);
      },
    ),
  ),

  route.patch(
    'rejectCommission',
    `${path}/:commissionId/reject`,
    contract(
      {
        summary: 'Reject a pending or approved commission',
        tag,
        auth: merchant('member'),
        params,
        body: RejectBody,
        responses: { 200: { type: CommissionDto, example: rejectedExample } },
        errors: [...missing, 'COMMISSION_TERMINAL', 'COMMISSION_IN_PAYOUT'],
      },
      async (ctx) => {
        const { programId, commissionId } = ctx.input.params;
        const { reason } = ctx.input.body;
        const command = { programId, commissionId, decision: 'reject', reason } as const;
        const record = await decideIn(ctx, ctx.services.decisions, command);
        ctx.body = presentCommission(record, ctx.now);
      },
    ),
  ),

  route.post(
    'elapseCommissionHold',
    `${path}/:commissionId/elapse-hold`,
    contract(
      {
        summary: 'End the hold of a commission now (test mode)',
        tag,
        description:
          'As time would, automatic approval included. Any commission in live mode: FORBIDDEN.',
        auth: merchant('member'),
        params,
        responses: approved,
        errors: [...missing, 'FORBIDDEN', 'COMMISSION_NOT_PENDING', 'COMMISSION_HOLD_NOT_ACTIVE'],
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
  ),
];

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
