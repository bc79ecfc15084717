import type { CommissionRecord } from '../../activities/commissions/records';
import type { CommissionHistory } from '../../entities/tables/commissions/commission-history.entity';
import type { LedgerEntry } from '../../entities/tables/commissions/ledger-entry.entity';
import { query } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';

export interface CommissionTrail {
  history: CommissionHistory[];
  ledger: LedgerEntry[];
}

/** History and ledger of a commission, both oldest first. */
export async function findTrail(db: Db, record: CommissionRecord): Promise<CommissionTrail> {
  const params = [record.id, record.workspaceId, record.mode];
  const history = await query<CommissionHistory>(
    db,
    `SELECT id, from_status AS "fromStatus", to_status AS "toStatus", trigger,
            actor_type AS "actorType", actor_id AS "actorId", reason, at
       FROM commission_history
      WHERE commission_id = $1 AND workspace_id = $2 AND mode = $3 ORDER BY at, id`,
    params,
  );
  const ledger = await query<LedgerEntry>(
    db,
    `SELECT id, type, amount_cents AS "amountCents", currency, created_at AS "createdAt"
       FROM ledger_entries
      WHERE commission_id = $1 AND workspace_id = $2 AND mode = $3 ORDER BY created_at, id`,
    params,
  );
  return { history, ledger };
}
