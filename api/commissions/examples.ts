import type { BulkResultDto, CommissionStatsDto } from './commission-answers.dto';
import { present } from '../http/contract/present';
import {
  PartnerHistoryEntryDto,
  type CommissionDetailDto,
  type CommissionDto,
  type PartnerCommissionDetailDto,
  type PartnerCommissionDto,
} from './commissions.dto';

export const partnerCommissionExample: PartnerCommissionDto = {
  id: '0198c0de-5000-7000-8000-000000000005',
  programId: '0198c0de-1000-7000-8000-000000000001',
  programName: 'Tea shop',
  participantId: '0198c0de-2000-7000-8000-000000000002',
  partnerName: 'Anna Partner',
  conversionId: '0198c0de-4000-7000-8000-000000000004',
  status: 'approved',
  commissionType: 'percentage',
  amountCents: 980,
  originalAmountCents: 980,
  refundedAmountCents: 0,
  adjustmentReason: null,
  currency: 'usd',
  conversionAmountCents: 4_900,
  feeCents: null,
  terms: {
    rule: null,
    source: 'program',
    name: null,
    groupId: '0198c0de-1000-7000-8000-000000000001',
    groupName: 'Default',
    customerMonth: 0,
    paymentNumber: 1,
    type: 'percentage',
    rateBps: 2_000,
    amountCents: null,
    basis: 'gross',
    recurring: false,
    recurringMonths: null,
    holdDays: 30,
    autoApprove: true,
  },
  needsReview: false,
  holdUntil: '2026-03-02T09:30:00.000Z',
  holdActive: false,
  rejectionReason: null,
  approvedAt: '2026-02-10T08:00:00.000Z',
  rejectedAt: null,
  paidAt: null,
  refundedAt: null,
  payoutId: null,
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-02-10T08:00:00.000Z',
};

export const commissionExample: CommissionDto = {
  ...partnerCommissionExample,
  externalTransactionId: 'order-1042',
  reviewReasons: [],
  overrideReason: 'Long-standing partner.',
  decidedBy: { type: 'member', id: '0198c0de-0000-7000-8000-000000000009' },
};

export const rejectedExample: CommissionDto = {
  ...commissionExample,
  status: 'rejected',
  overrideReason: null,
  rejectionReason: 'The order was cancelled.',
  approvedAt: null,
  rejectedAt: '2026-02-10T08:00:00.000Z',
};

export const adjustmentExample: CommissionDto = {
  ...commissionExample,
  conversionId: null,
  externalTransactionId: 'bonus-2026-03',
  commissionType: 'adjustment',
  amountCents: 2_500,
  originalAmountCents: 2_500,
  adjustmentReason: 'Bonus for the spring campaign',
  conversionAmountCents: 0,
  terms: {
    rule: null,
    source: 'program',
    name: null,
    groupId: null,
    groupName: null,
    customerMonth: null,
    paymentNumber: null,
    type: 'flat',
    rateBps: null,
    amountCents: 2_500,
    basis: null,
    recurring: false,
    recurringMonths: null,
    holdDays: 0,
    autoApprove: true,
  },
  holdUntil: null,
  overrideReason: null,
};

export const commissionDetailExample: CommissionDetailDto = {
  ...commissionExample,
  history: [
    {
      from: null,
      to: 'pending',
      trigger: 'created',
      actor: { type: 'system', id: null },
      reason: null,
      at: '2026-01-31T09:30:00.000Z',
    },
    {
      from: 'pending',
      to: 'approved',
      trigger: 'approve_override',
      actor: { type: 'member', id: '0198c0de-0000-7000-8000-000000000009' },
      reason: 'Long-standing partner.',
      at: '2026-02-10T08:00:00.000Z',
    },
  ],
  ledger: [
    {
      id: '0198c0de-6000-7000-8000-000000000006',
      type: 'accrual',
      amountCents: 980,
      currency: 'usd',
      createdAt: '2026-01-31T09:30:00.000Z',
    },
  ],
};

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

const [first, second] = [partnerCommissionExample.id, '0198c0de-5000-7000-8000-000000000006'];

const approvedItem = { commissionId: first, ok: true, status: 'approved' as const };

export const bulkExample: BulkResultDto = {
  succeeded: 1,
  failed: 0,
  results: [approvedItem],
};

const failedItem = {
  commissionId: second,
  ok: false,
  status: 'pending' as const,
  code: 'COMMISSION_HOLD_ACTIVE',
  message: 'The hold of the commission is still active.',
};

export const bulkPartialExample: BulkResultDto = {
  succeeded: 1,
  failed: 1,
  results: [approvedItem, failedItem],
};

export const bulkAllFailedExample = {
  statusCode: 422,
  message: 'None of the commissions could be changed.',
  error: 'Unprocessable Entity',
  code: 'BULK_ALL_FAILED',
  results: [failedItem],
};

export const csvExample = `id,createdAt,status,programName,partnerName,commissionType,amountCents,currency,conversionAmountCents,externalTransactionId,needsReview,reviewReasons,holdUntil,approvedAt,rejectedAt,paidAt,refundedAt,rejectionReason\r
${first},2026-01-31T09:30:00.000Z,pending,Tea shop,Anna Partner,percentage,980,usd,4900,order-1042,false,,2026-03-02T09:30:00.000Z,,,,,\r
`;

export const partnerCommissionDetailExample: PartnerCommissionDetailDto = {
  ...partnerCommissionExample,
  history: commissionDetailExample.history.map((entry) =>
    present(PartnerHistoryEntryDto, { ...entry, reason: null }),
  ),
  ledger: commissionDetailExample.ledger,
};
