import type { ImportSource } from '../../../entities/rules/imports/kinds';

/** A system that an import comes from. */
export interface Source {
  /** Parameters of its links that carry a token, in the order in which it looks for them. */
  params: readonly string[];
}

export const sources: Readonly<Record<ImportSource, Source>> = {
  csv: { params: [] },
  rewardful: { params: ['via'] },
  tolt: { params: ['via', 'ref'] },
  firstpromoter: { params: ['fpr'] },
};
