import type { ImportSource } from '../../../entities/rules/imports/kinds';
import { firstPromoter } from './firstpromoter/firstpromoter';
import { rewardful } from './rewardful/rewardful';
import type { Source } from './source';
import { tolt } from './tolt/tolt';

export const sources: Readonly<Record<ImportSource, Source>> = {
  csv: { params: [], api: null },
  rewardful: { params: ['via'], api: rewardful },
  tolt: { params: ['via', 'ref'], api: tolt },
  firstpromoter: { params: ['fpr'], api: firstPromoter },
};
