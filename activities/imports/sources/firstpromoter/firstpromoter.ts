import type { SourceApi, SourceList } from '../source';
import { cellAt, objectsAt, queryOf } from '../told';
import { commissionRows, promoterCampaigns, promoterRows, referralRows } from './rows';

/** The most that a page may have (docs.firstpromoter.com, introduction of the Admin API). */
const perPage = 100;

function listOf(name: string, own: Pick<SourceList, 'rows' | 'campaigns'>): SourceList {
  return {
    name,
    ...own,
    path: ({ cursor }) => `/${name}${queryOf({ page: cursor ?? '1', per_page: perPage })}`,
    /** A list has no word of its end: a page without anything is behind it. */
    page(body, cursor) {
      const objects = objectsAt(body) ?? objectsAt(body, 'data');
      if (!objects) return null;
      const next = objects.length === 0 ? null : String(Number(cursor ?? '1') + 1);
      return { objects, next, total: null };
    },
  };
}

const campaignOf = (object: unknown) => [
  {
    id: cellAt(object, 'promoter_campaign', 'campaign', 'id'),
    name: cellAt(object, 'promoter_campaign', 'campaign', 'name'),
  },
];

/** FirstPromoter's Admin API, version 2, as docs.firstpromoter.com describes it. */
export const firstPromoter: SourceApi = {
  base: 'https://api.firstpromoter.com/api/v2/company',
  idPrefix: 'firstpromoter',
  needsAccount: true,
  headers: ({ apiKey, accountId = '' }) => ({
    authorization: `Bearer ${apiKey}`,
    'account-id': accountId,
  }),
  lists: [
    listOf('promoters', { rows: promoterRows, campaigns: promoterCampaigns }),
    listOf('referrals', { rows: referralRows, campaigns: campaignOf }),
    listOf('commissions', { rows: commissionRows, campaigns: campaignOf }),
  ],
  first: {
    path: `/promoters${queryOf({ page: 1, per_page: 1 })}`,
    choices: (body) => ((objectsAt(body) ?? objectsAt(body, 'data')) ? [] : null),
    isOne: false,
  },
};
