import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import { AppError } from '../../entities/errors';
import { dateRange } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { newestFirst, readList, type Found } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import { Conversion } from '../../entities/tables/conversions/conversion.entity';
import { FraudFlag } from '../../entities/tables/conversions/fraud-flag.entity';
import type { FraudFlagFilter } from './fraud.dto';

const ofFlag = [
  'id',
  'rule',
  'action',
  'value',
  'threshold',
  'state',
  'note',
  'resolvedAt',
  'participantId',
  'createdAt',
] as const satisfies Selection<FraudFlag>;
const ofConversion = {
  conversionId: 'id',
  externalTransactionId: 'externalTransactionId',
  eventType: 'eventType',
  amountCents: 'amountCents',
  currency: 'currency',
  attributed: 'attributed',
  reason: 'reason',
  occurredAt: 'occurredAt',
  reportedAt: 'createdAt',
} as const satisfies Selection<Conversion>;
const ofCommission = {
  commissionId: 'id',
  commissionStatus: 'status',
  commissionAmountCents: 'amountCents',
  commissionCurrency: 'currency',
  needsReview: 'needsReview',
} as const satisfies Selection<Commission>;

/** A conversion that earns nothing has no commission. */
export type FraudFlagRow = Selected<FraudFlag, typeof ofFlag> & { partnerName: string } & Selected<
    Conversion,
    typeof ofConversion
  > &
  (Selected<Commission, typeof ofCommission> | { commissionId: null });

const columns = `${selectList(FraudFlag, 'f', ofFlag)}, p.partner_name AS "partnerName",
  ${selectList(Conversion, 'v', ofConversion)}, ${selectList(Commission, 'm', ofCommission)}`;
const from = 'fraud_flags f';
const joins = `JOIN participants p ON p.id = f.participant_id
  JOIN conversions v ON v.id = f.conversion_id
  LEFT JOIN commissions m ON m.conversion_id = v.id AND m.credited`;

/** One flag of a programme that the caller may see. FRAUD_FLAG_NOT_FOUND. */
export async function getFraudFlag(
  db: Db,
  programId: string,
  flagId: string,
): Promise<FraudFlagRow> {
  const row = await queryOne<FraudFlagRow>(
    db,
    `SELECT ${columns} FROM ${from} ${joins} WHERE f.id = $1 AND f.program_id = $2`,
    [flagId, programId],
  );
  if (!row) throw new AppError('FRAUD_FLAG_NOT_FOUND');
  return row;
}

/** Newest first, each with its conversion and commission as they stand now. */
export function listFraudFlags(
  db: Db,
  scope: Scope,
  filter: FraudFlagFilter & { programId: string },
): Promise<Found<FraudFlagRow>> {
  const { from: since, to } = dateRange(filter);
  const list = {
    columns,
    from,
    joins,
    where: `f.workspace_id = $1 AND f.mode = $2 AND f.program_id = $3
      AND ($4::text IS NULL OR f.rule = $4) AND ($5::uuid IS NULL OR f.participant_id = $5)
      AND ($6::timestamptz IS NULL OR f.created_at >= $6)
      AND ($7::timestamptz IS NULL OR f.created_at < $7)
      AND ($8::text IS NULL OR f.state = $8)`,
    params: [
      scope.workspaceId,
      scope.mode,
      filter.programId,
      filter.rule ?? null,
      filter.participantId ?? null,
      since,
      to,
      filter.state ?? null,
    ],
    order: newestFirst('f'),
  };
  return readList(db, list, filter);
}
