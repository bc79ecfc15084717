import {
  selectList,
  type Outer,
  type Selected,
  type Selection,
} from '../../entities/database/columns';
import { query, type Db } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import { Conversion } from '../../entities/tables/conversions/conversion.entity';
import type { ConversionRecord } from './conversion';

const shown = [
  'id',
  'mode',
  'externalTransactionId',
  'source',
  'eventType',
  'amountCents',
  'currency',
  'occurredAt',
  'customerId',
  'metadata',
  'items',
  'attributed',
  'reason',
  'explanation',
  'matchedBy',
  'clickId',
  'promoCode',
  'programId',
  'participantId',
  'windowEndsAt',
  'refundedAmountCents',
  'creditedAs',
  'createdAt',
] as const satisfies Selection<Conversion>;

/** The commission's own columns, under names of their own where the conversion has the same. */
const ofCommission = {
  commissionId: 'id',
  commissionStatus: 'status',
  commissionAmountCents: 'amountCents',
  commissionCurrency: 'currency',
  holdUntil: 'holdUntil',
  needsReview: 'needsReview',
} as const satisfies Selection<Commission>;

/** Columns of `conversions v` with its commission `m`, for ConversionRow. */
export const conversionColumns = `${selectList(Conversion, 'v', shown)},
  ${selectList(Commission, 'm', ofCommission)}`;

type Shown = Selected<Conversion, typeof shown>;
type JoinedCommission = Selected<Commission, typeof ofCommission>;

/** A conversion without a commission has null columns there. */
export type ConversionRow = Shown & Outer<JoinedCommission>;

export function conversionOf(row: ConversionRow): ConversionRecord {
  const {
    commissionId: _id,
    commissionStatus: _status,
    commissionAmountCents: _amountCents,
    commissionCurrency: _currency,
    holdUntil: _holdUntil,
    needsReview: _needsReview,
    ...conversion
  } = row;
  return { ...conversion, commission: hasCommission(row) ? commissionOf(row) : null };
}

function hasCommission(row: ConversionRow): row is Shown & JoinedCommission {
  return row.commissionId !== null;
}

function commissionOf(joined: JoinedCommission): ConversionRecord['commission'] {
  return {
    id: joined.commissionId,
    status: joined.commissionStatus,
    amountCents: joined.commissionAmountCents,
    currency: joined.commissionCurrency,
    holdUntil: joined.holdUntil,
    needsReview: joined.needsReview,
  };
}

/** The conversion as it stands now; undefined for one of another workspace or mode. */
export async function findConversion(
  db: Db,
  scope: Scope,
  id: string,
): Promise<ConversionRecord | undefined> {
  const [row] = await query<ConversionRow>(
    db,
    `SELECT ${conversionColumns}
       FROM conversions v LEFT JOIN commissions m ON m.conversion_id = v.id AND m.credited
      WHERE v.id = $1 AND v.workspace_id = $2 AND v.mode = $3`,
    [id, scope.workspaceId, scope.mode],
  );
  return row && conversionOf(row);
}
