import { valueAt } from '../../../../entities/rules/billing/json';
import type { SourceApi, SourceList } from '../source';
import { cellAt, countAt, objectsAt, queryOf } from '../told';
import { codeRows, commissionRows, customerRows, linkRows, partnerRows } from './rows';

/** The most that a page may have (docs.tolt.com, List commissions). */
const limit = 100;

function listOf(name: string, rows: SourceList['rows'], path = name): SourceList {
  return {
    name,
    rows,
    // The oldest first: what is made meanwhile moves nothing.
    path({ cursor, only }) {
      const program_id = only?.[0] ?? null;
      return `/v2/${path}${queryOf({ program_id, order: 'asc', limit, starting_after: cursor })}`;
    },
    page(body) {
      const objects = objectsAt(body, 'data');
      if (!objects) return null;
      const next = cellAt(body, 'next_cursor') || cellAt(objects.at(-1), 'id');
      const hasMore = valueAt(body, 'has_more') === true && next !== '';
      return { objects, next: hasMore ? next : null, total: countAt(body, 'total_count') };
    },
  };
}

/** Tolt's Public API, version 2, as docs.tolt.com describes it. */
export const tolt: SourceApi = {
  base: 'https://platform.tolt.com',
  idPrefix: 'tolt',
  needsAccount: false,
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  lists: [
    listOf('partners', partnerRows),
    listOf('links', linkRows),
    listOf('promotion codes', codeRows, 'promotion-codes'),
    listOf('customers', customerRows),
    listOf('commissions', commissionRows),
  ],
  first: {
    path: `/v2/programs${queryOf({ limit })}`,
    choices: (body) =>
      objectsAt(body, 'data')?.map((program) => {
        return { id: cellAt(program, 'id'), name: cellAt(program, 'name') };
      }) ?? null,
    isOne: true,
  },
};
