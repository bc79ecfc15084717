import { AppError } from '../../entities/errors';
import { toEnvelope } from '../http/contract/error-envelope';
import { exampleOf } from '../http/contract/example';
import { BulkItemDto, BulkResultDto, type CommissionStatsDto } from './commission-answers.dto';
import {
  CommissionActorDto,
  CommissionDetailDto,
  CommissionDto,
  HistoryEntryDto,
  PinnedTermsDto,
} from './commissions.dto';

const decidedAt = '2026-02-10T08:00:00.000Z';

export const rejectedExample = exampleOf(CommissionDto, {
  status: 'rejected',
  overrideReason: null,
  rejectionReason: 'The order was cancelled.',
  approvedAt: null,
  rejectedAt: decidedAt,
});

export const adjustmentExample = exampleOf(CommissionDto, {
  conversionId: null,
  externalTransactionId: 'bonus-2026-03',
  commissionType: 'adjustment',
  amountCents: 2_500,
  originalAmountCents: 2_500,
  adjustmentReason: 'Bonus for the spring campaign',
  conversionAmountCents: 0,
  terms: exampleOf(PinnedTermsDto, {
    groupId: null,
    groupName: null,
    customerMonth: null,
    paymentNumber: null,
    type: 'flat',
    rateBps: null,
    amountCents: 2_500,
    basis: null,
    holdDays: 0,
  }),
  holdUntil: null,
  overrideReason: null,
});

export const commissionDetailExample = exampleOf(CommissionDetailDto, {
  history: [
    exampleOf(HistoryEntryDto, {
      from: null,
      to: 'pending',
      trigger: 'created',
      actor: exampleOf(CommissionActorDto, { type: 'system', id: null }),
      reason: null,
    }),
    exampleOf(HistoryEntryDto, { at: decidedAt }),
  ],
});

const none = { count: 0, amounts: [] };

export const statsExample: CommissionStatsDto = {
  count: 3,
  needsReviewCount: 1,
  byStatus: {
    pending: { count: 2, amounts: [{ currency: 'usd', amountCents: 1_960 }] },
    approved: { count: 1, amounts: [{ currency: 'usd', amountCents: 980 }] },
    rejected: none,
    paid: none,
    refunded: none,
  },
  totals: [{ currency: 'usd', amountCents: 2_940 }],
};

const failedItem = exampleOf(BulkItemDto, {
  commissionId: '0198c0de-5000-7000-8000-000000000006',
  ok: false,
  status: 'pending',
  code: 'COMMISSION_HOLD_ACTIVE',
  message: 'The hold of the commission is still active.',
});

export const bulkPartialExample = exampleOf(BulkResultDto, {
  failed: 1,
  results: [exampleOf(BulkItemDto), failedItem],
});

export const bulkAllFailedExample = {
  ...toEnvelope(new AppError('BULK_ALL_FAILED')),
  results: [failedItem],
};

export const csvExample = `id,createdAt,status,programName,partnerName,commissionType,amountCents,currency,conversionAmountCents,externalTransactionId,needsReview,reviewReasons,holdUntil,approvedAt,rejectedAt,paidAt,refundedAt,rejectionReason\r
${rejectedExample.id},2026-01-31T09:30:00.000Z,pending,Tea shop,Anna Partner,percentage,980,usd,4900,order-1042,false,,2026-03-02T09:30:00.000Z,,,,,\r
`;
