import type { ParticipantStatus } from '../partners/participant-status';
import { ownOf } from '../values/look-up';

/** How a commission stands in the old system. */
export const toldStatuses = ['pending', 'approved', 'paid', 'void'] as const;
export type ToldStatus = (typeof toldStatuses)[number];

/** How a partner stands there, as far as it makes a difference here. */
export const toldPartnerStatuses = ['active', 'pending', 'rejected', 'suspended'] as const;
export type ToldPartnerStatus = (typeof toldPartnerStatuses)[number];

/** Words that a merchant maps, in lower case, for partners and commissions alike. */
export type StatusWords = Readonly<Record<string, string>>;

const commissionWords: Readonly<Record<string, ToldStatus>> = {
  pending: 'pending',
  open: 'pending',
  approved: 'approved',
  paid: 'paid',
  void: 'void',
};

/** Undefined for a word without a counterpart. */
export function toldStatusOf(word: string, mapped: StatusWords): ToldStatus | undefined {
  return ownOf(commissionWords, mappedWord(word, mapped));
}

const partnerWords: Readonly<Record<string, ToldPartnerStatus>> = {
  '': 'active',
  active: 'active',
  approved: 'active',
  pending: 'pending',
  rejected: 'rejected',
};

/** Whatever else a partner is called over there: not active, and not paid for clicks here. */
export function toldPartnerStatusOf(word: string, mapped: StatusWords): ToldPartnerStatus {
  return ownOf(partnerWords, mappedWord(word, mapped)) ?? 'suspended';
}

/** The status of a new participant; who was rejected and has something all the same earns nothing new. */
export const participantStatusOf: Readonly<Record<ToldPartnerStatus, ParticipantStatus>> = {
  active: 'approved',
  pending: 'pending',
  rejected: 'suspended',
  suspended: 'suspended',
};

function mappedWord(word: string, mapped: StatusWords): string {
  const own = comparableWord(word);
  const given = Object.entries(mapped).find(([theirs]) => comparableWord(theirs) === own);
  return comparableWord(given ? given[1] : word);
}

function comparableWord(word: string): string {
  return word.trim().toLowerCase();
}
