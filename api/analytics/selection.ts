import type { Scope } from '../../entities/rules/values/mode';

/** Whose figures: of these programmes, and of a link or a code when one is named. */
export interface Selection {
  scope: Scope;
  programIds: readonly string[];
  linkId: string | null;
  promoCode: string | null;
}

/** A selection with the one currency that revenue is counted in. */
export interface PricedSelection extends Selection {
  currency: string;
}
