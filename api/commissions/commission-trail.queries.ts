import {
  recordColumns,
  recordJoins,
  type CommissionRecord,
} from '../../activities/commissions/records';
import { selectList } from '../../entities/database/columns';
import { query, queryOne, type Db } from '../../entities/database/sql';
import type { Mode } from '../../entities/rules/values/mode';
import { CommissionHistory } from '../../entities/tables/commissions/commission-history.entity';
import { LedgerEntry } from '../../entities/tables/commissions/ledger-entry.entity';

export interface CommissionTrail {
  history: CommissionHistory[];
  ledger: LedgerEntry[];
}

/** History and ledger of a commission, both oldest first. */
export async function findTrail(db: Db, record: CommissionRecord): Promise<CommissionTrail> {
  const params = [record.id, record.workspaceId, record.mode];
  const history = await query<CommissionHistory>(
    db,
    `SELECT ${selectList(CommissionHistory, 'h')} FROM commission_history AS h
      WHERE h.commission_id = $1 AND h.workspace_id = $2 AND h.mode = $3 ORDER BY h.at, h.id`,
    params,
  );
  const ledger = await query<LedgerEntry>(
    db,
    `SELECT ${selectList(LedgerEntry, 'l')} FROM ledger_entries AS l
      WHERE l.commission_id = $1 AND l.workspace_id = $2 AND l.mode = $3
      ORDER BY l.created_at, l.id`,
    params,
  );
  return { history, ledger };
}

/**
 * A commission of this partner, in whichever workspace; undefined for another's. Of a participation
 * that was erased while the account lives its partner still reads the amounts.
 */
export function findOwnCommission(
  db: Db,
  { partnerId, mode }: { partnerId: string; mode: Mode },
  commissionId: string,
): Promise<CommissionRecord | undefined> {
  return queryOne<CommissionRecord>(
    db,
    `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
      WHERE c.id = $1 AND c.mode = $2 AND p.partner_id = $3`,
    [commissionId, mode, partnerId],
  );
}
