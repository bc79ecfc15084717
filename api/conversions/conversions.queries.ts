import {
  conversionColumns,
  conversionOf,
  type ConversionRow,
} from '../../activities/conversions/rows';
import type { ConversionRecord } from '../../activities/conversions/conversion';
import { selectList } from '../../entities/database/columns';
import { ConversionRefund } from '../../entities/tables/conversions/conversion-refund.entity';
import { cutSignal } from '../../entities/rules/attribution/conversion';
import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import type { PageQuery } from '../http/contract/pagination';
import type { ConversionFilter } from './conversions.dto';

/** What conversions and decisions are filtered by; they are the same rows. */
export type ConversionSearch = Partial<
  Omit<ConversionFilter, keyof PageQuery> & {
    click_id: string;
    promo_code: string;
    reason: string;
  }
>;

/** Conditions on `conversions v`, with their parameters. */
export function conversionWhere(
  scope: Scope,
  search: ConversionSearch,
): { where: string; params: unknown[] } {
  const params: unknown[] = [];
  const bind = (value: unknown): string => `$${params.push(value)}`;
  const workspace = bind(scope.workspaceId);
  const mode = bind(scope.mode);
  const conditions = [`v.workspace_id = ${workspace}`, `v.mode = ${mode}`];

  const { external_transaction_id: alias, click_id: clickId, promo_code: code } = search;
  if (alias !== undefined) {
    conditions.push(`v.id IN (SELECT a.conversion_id FROM conversion_aliases a
      WHERE a.workspace_id = ${workspace} AND a.mode = ${mode} AND a.alias = ${bind(alias)})`);
  }
  if (search.attributed !== undefined) conditions.push(`v.attributed = ${bind(search.attributed)}`);
  if (search.event_type !== undefined) conditions.push(`v.event_type = ${bind(search.event_type)}`);
  if (search.reason !== undefined) conditions.push(`v.reason = ${bind(search.reason)}`);
  // The index holds the beginnings only: a reported signal may be any text.
  if (clickId !== undefined) {
    const text = bind(cutSignal(clickId));
    conditions.push(`lower(left(v.click_id, 64)) = lower(left(${text}, 64))`);
    conditions.push(`lower(v.click_id) = lower(${text})`);
  }
  if (code !== undefined) {
    const text = bind(cutSignal(code));
    conditions.push(`left(upper(v.promo_code), 64) = left(upper(${text}), 64)`);
    conditions.push(`upper(v.promo_code) = upper(${text})`);
  }
  const { from, to } = dateRange(search);
  if (from) conditions.push(`v.created_at >= ${bind(from)}`);
  if (to) conditions.push(`v.created_at < ${bind(to)}`);
  return { where: conditions.join(' AND '), params };
}

/** Newest first. */
export async function listConversions(
  db: Db,
  scope: Scope,
  filter: ConversionSearch & Window,
): Promise<Found<ConversionRecord>> {
  const list = {
    columns: conversionColumns,
    from: 'conversions v',
    joins: 'LEFT JOIN commissions m ON m.conversion_id = v.id AND m.credited',
    ...conversionWhere(scope, filter),
    order: newestFirst('v'),
  };
  const { rows, ...found } = await readList<ConversionRow>(db, list, filter);
  return { rows: rows.map(conversionOf), ...found };
}

/** Oldest first, as they happened. */
export function listRefunds(
  db: Db,
  scope: Scope,
  filter: { conversionId: string } & Window,
): Promise<Found<ConversionRefund>> {
  const list = {
    columns: selectList(ConversionRefund, 'r'),
    from: 'conversion_refunds r',
    where: 'r.conversion_id = $1 AND r.workspace_id = $2 AND r.mode = $3',
    params: [filter.conversionId, scope.workspaceId, scope.mode],
    order: { by: ['r.created_at', 'r.id'], direction: 'ASC' },
  } as const;
  return readList(db, list, filter);
}
