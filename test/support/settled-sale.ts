import type { PinnedTerms } from '../../entities/rules/commissions/amount';
import type { SettlementFacts } from '../../entities/rules/commissions/settlement';

/** The programme's own terms as a commission keeps them: a fifth of each sale, 30 days on hold. */
export const pinnedTerms = (overrides: Partial<PinnedTerms> = {}): PinnedTerms => ({
  rule: null,
  source: 'program',
  name: null,
  groupId: 'g1',
  groupName: 'Default',
  customerMonth: null,
  paymentNumber: null,
  type: 'percentage',
  rateBps: 2_000,
  amountCents: null,
  basis: 'gross',
  recurring: false,
  recurringMonths: null,
  holdDays: 30,
  autoApprove: true,
  ...overrides,
});

/** The facts of a sale of 10,000 cents of which nothing came back and no charge is known. */
export const settlementFacts = (overrides: Partial<SettlementFacts> = {}): SettlementFacts => ({
  amountCents: 10_000,
  apiRefundedCents: 0,
  chargeCents: null,
  processorRefundedCents: 0,
  lostDisputeCents: 0,
  settledLostCents: 0,
  openDisputes: 0,
  feeCents: null,
  ...overrides,
});
