import type { GroupTerms } from '../programs/groups';
import type { CommissionType, CommissionRule, ProgramTerms } from '../programs/terms';
import type { TermsSource } from './amount';
import type { ReviewSettings } from './review-reasons';

/** All of a programme that judges a partner's sale: what it earns, how long it is held, what is reviewed. */
export interface SaleTerms extends TermsSource, ReviewSettings {
  acceptedCurrencies: readonly string[];
}

/** The same before it is known whose sale it is: with what every group of the programme offers. */
export interface ProgramOffer extends Omit<SaleTerms, 'group'> {
  /** Absent where nobody could make groups yet. */
  groups?: readonly GroupTerms[];
}

/** The same as a programme's row has it. */
export interface SaleTermsFields extends Omit<ProgramTerms, 'type'> {
  commissionType: CommissionType;
  currency: string;
  acceptedCurrencies: readonly string[];
  reviewAboveCents: number | null;
  rules: readonly CommissionRule[];
  holdDays: number;
  autoApprove: boolean;
}

/** What a programme offers as of its row, groups apart; further fields of it are left out. */
export function saleTermsOf(program: SaleTermsFields): Omit<SaleTerms, 'group'> {
  return {
    currency: program.currency,
    acceptedCurrencies: program.acceptedCurrencies,
    reviewAboveCents: program.reviewAboveCents,
    rules: program.rules,
    holdDays: program.holdDays,
    autoApprove: program.autoApprove,
    terms: {
      type: program.commissionType,
      rateBps: program.rateBps,
      amountCents: program.amountCents,
      basis: program.basis,
      recurring: program.recurring,
      recurringMonths: program.recurringMonths,
    },
  };
}
