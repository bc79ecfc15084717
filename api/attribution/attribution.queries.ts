import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import type { DecisionTrace } from '../../entities/rules/attribution/conversion';
import type { Scope } from '../../entities/rules/values/mode';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
import { Conversion } from '../../entities/tables/conversions/conversion.entity';
import { conversionWhere, type ConversionSearch } from '../conversions/conversions.queries';

/** Columns by the names of the DTO. */
const shown = {
  conversion_id: 'id',
  external_transaction_id: 'externalTransactionId',
  attributed: 'attributed',
  reason: 'reason',
  explanation: 'explanation',
  matched_by: 'matchedBy',
  click_id: 'clickId',
  promo_code: 'promoCode',
  program_id: 'programId',
  participant_id: 'participantId',
  created_at: 'createdAt',
} as const satisfies Selection<Conversion>;

type DecisionRow = Selected<Conversion, typeof shown>;

const columns = selectList(Conversion, 'v', shown);

/** Newest first. */
export function listDecisions(
  db: Db,
  scope: Scope,
  filter: ConversionSearch & Window,
): Promise<Found<DecisionRow>> {
  const condition = conversionWhere(scope, filter);
  const list = { columns, from: 'conversions v', ...condition, order: newestFirst('v') };
  return readList(db, list, filter);
}

export function findDecision(
  db: Db,
  scope: Scope,
  conversionId: string,
): Promise<(DecisionRow & { trace: DecisionTrace }) | undefined> {
  return queryOne(
    db,
    `SELECT ${columns}, d.trace
       FROM conversions v JOIN attribution_decisions d ON d.conversion_id = v.id
      WHERE v.id = $1 AND v.workspace_id = $2 AND v.mode = $3`,
    [conversionId, scope.workspaceId, scope.mode],
  );
}
