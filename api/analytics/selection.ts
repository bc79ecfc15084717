import type { Scope } from '../../entities/rules/values/mode';

/** Whose figures: of these programmes, and of a link or a code when one is named. */
export interface Selection {
  programIds: readonly string[];
  /** Only what these participants brought; without it, everybody's. */
  participantIds?: readonly string[];
  /** Only what those brought who are in this group now. */
  groupId?: string;
  linkId: string | null;
  promoCode: string | null;
}

/** A merchant's selection with the one currency that revenue is counted in. */
export interface PricedSelection extends Selection {
  scope: Scope;
  currency: string;
}
