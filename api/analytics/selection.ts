import type { Scope } from '../../entities/rules/values/mode';

/** The selection of a figure: some programmes, and one link or code of theirs when it is named. */
export interface Selection {
  programIds: readonly string[];
  /** Counts only what these participants brought; without it, everybody's. */
  participantIds?: readonly string[];
  /** Counts only what participants brought who are in this group now. */
  groupId?: string;
  linkId: string | null;
  promoCode: string | null;
}

/** A merchant's selection with the one currency that revenue is counted in. */
export interface PricedSelection extends Selection {
  scope: Scope;
  currency: string;
}
