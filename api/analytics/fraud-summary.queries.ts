import type { Span } from '../../entities/rules/analytics/period';
import { query, type Db } from '../../entities/database/sql';
import { inGroup, isNarrowed, Params } from './figures.queries';
import type { PricedSelection } from './selection';

/** How often each rule hit, by the days of the conversions; rules that never hit are left out. */
export async function countFraudFlags(
  db: Db,
  selection: PricedSelection,
  { since, before }: Span,
): Promise<Map<string, number>> {
  const { scope, programIds, linkId, promoCode, groupId, participantIds } = selection;
  const params = new Params();
  const conditions = [
    `f.workspace_id = ${params.add(scope.workspaceId)} AND f.mode = ${params.add(scope.mode)}`,
    `f.program_id = ANY (${params.add(programIds)}::uuid[])`,
    `f.occurred_at >= ${params.add(since)} AND f.occurred_at < ${params.add(before)}`,
    ...(groupId === undefined
      ? []
      : [
          `f.participant_id IN (SELECT p.id FROM participants AS p WHERE ${inGroup('p', params.add(groupId))})`,
        ]),
    ...(participantIds === undefined
      ? []
      : [`f.participant_id = ANY (${params.add(participantIds)}::uuid[])`]),
    ...(linkId === null ? [] : [`v.link_id = ${params.add(linkId)}`]),
    ...(promoCode === null
      ? []
      : [`v.matched_by = 'promo_code' AND v.promo_code = ${params.add(promoCode)}`]),
  ];
  const rows = await query<{ rule: string; count: number }>(
    db,
    `SELECT f.rule, count(*) AS count FROM fraud_flags AS f
       ${isNarrowed(selection) ? 'JOIN conversions AS v ON v.id = f.conversion_id' : ''}
      WHERE ${conditions.join(' AND ')} GROUP BY f.rule`,
    params.values,
  );
  return new Map(rows.map(({ rule, count }) => [rule, count]));
}
