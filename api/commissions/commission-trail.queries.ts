import type { CommissionRecord } from '../../activities/commissions/records';
import { selectList } from '../../entities/database/columns';
import { query, type Db } from '../../entities/database/sql';
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
