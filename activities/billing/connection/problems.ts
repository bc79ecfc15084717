import { queryOne, type Db } from '../../../entities/database/sql';
import type { Scope } from '../../../entities/rules/values/mode';
import { readerOf } from '../readers';
import type { ConnectionRecord } from './connection';

/** What is wrong with a connection that is there, and what it is not told. */
export interface ConnectionProblems {
  /** Null for nothing. */
  lastError: string | null;
  missingKinds: string[];
}

export async function problemsOf(
  db: Db,
  connection: ConnectionRecord,
): Promise<ConnectionProblems> {
  const reader = readerOf(connection.biller);
  const told = { hasCodes: await hasOpenCodes(db, connection) };
  const { webhookSecret, lastError } = connection;
  const isOver = webhookSecret === null || lastError !== null;
  return {
    lastError: isOver ? lastError : reader.problem(connection, told),
    missingKinds: reader.missingKinds(connection, told),
  };
}

/** Whether partners of a programme that is not archived have promo codes. */
async function hasOpenCodes(db: Db, { workspaceId, mode }: Scope): Promise<boolean> {
  const row = await queryOne<{ hasCodes: boolean }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM promo_codes AS m JOIN programs AS g ON g.id = m.program_id
                     WHERE m.workspace_id = $1 AND m.mode = $2 AND g.status <> 'archived')
         AS "hasCodes"`,
    [workspaceId, mode],
  );
  return row?.hasCodes === true;
}
