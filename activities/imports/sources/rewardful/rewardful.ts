import type { SourceApi, SourceList } from '../source';
import { cellAt, countAt, objectsAt, queryOf } from '../told';
import {
  affiliateRows,
  campaignOf,
  commissionRows,
  couponRows,
  referralRows,
  termsOf,
} from './rows';

/** The most that a page may have (developers.rewardful.com, List commissions). */
const limit = 100;

type Own = Pick<SourceList, 'name' | 'rows' | 'campaigns' | 'terms'>;

function listOf(path: string, query: Record<string, readonly string[]>, own: Own): SourceList {
  return {
    ...own,
    path: ({ cursor }) => `/${path}${queryOf({ ...query, page: cursor ?? '1', limit })}`,
    page(body) {
      const objects = objectsAt(body, 'data');
      if (!objects) return null;
      const next = cellAt(body, 'pagination', 'next_page');
      const total = countAt(body, 'pagination', 'total_count');
      return { objects, next: next === '' ? null : next, total };
    },
  };
}

/** Rewardful's REST API, version 1, as developers.rewardful.com describes it. */
export const rewardful: SourceApi = {
  base: 'https://api.getrewardful.com/v1',
  idPrefix: 'rewardful',
  needsAccount: false,
  headers: ({ apiKey }) => ({
    authorization: `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`,
  }),
  lists: [
    listOf(
      'campaigns',
      {},
      {
        name: 'campaigns',
        rows: () => [],
        campaigns: (campaign) => [campaignOf(campaign)],
        terms: termsOf,
      },
    ),
    listOf(
      'affiliates',
      { expand: ['campaign', 'links'] },
      {
        name: 'affiliates',
        rows: affiliateRows,
        campaigns: ({ campaign }) => [campaignOf(campaign)],
      },
    ),
    listOf('affiliate_coupons', {}, { name: 'coupons', rows: couponRows }),
    listOf(
      'referrals',
      { expand: ['affiliate'], conversion_state: ['lead', 'conversion'] },
      {
        name: 'referrals',
        rows: referralRows,
        campaigns: ({ affiliate }) => [campaignOf(affiliate, 'campaign')],
      },
    ),
    listOf(
      'commissions',
      { expand: ['sale', 'campaign'] },
      {
        name: 'commissions',
        rows: commissionRows,
        campaigns: ({ campaign }) => [campaignOf(campaign)],
      },
    ),
  ],
  first: {
    path: `/campaigns${queryOf({ page: 1, limit })}`,
    choices: (body) => objectsAt(body, 'data')?.map((campaign) => campaignOf(campaign)) ?? null,
    isOne: false,
  },
};
