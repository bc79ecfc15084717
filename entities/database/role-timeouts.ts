import { idleInTransactionMs, lockTimeoutMs, longestStatementMs } from './data-source';
import { execute, query, queryOne, type Db } from './sql';

export const roleTimeouts = {
  statement_timeout: longestStatementMs,
  lock_timeout: lockTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
};

/**
 * Through a pooler a session cannot have time-outs of its own: here the role gets them, for this
 * database. Sessions that are open keep what they have.
 */
export async function setRoleTimeouts(db: Db, role: string): Promise<void> {
  const quoted = await queryOne<{ role: string; database: string }>(
    db,
    'SELECT quote_ident($1) AS role, quote_ident(current_database()) AS database',
    [role],
  );
  if (!quoted) return;
  for (const [name, milliseconds] of Object.entries(roleTimeouts)) {
    const target = `ALTER ROLE ${quoted.role} IN DATABASE ${quoted.database}`;
    await execute(db, `${target} SET ${name} = ${milliseconds}`);
  }
}

/** Which time-out this connection lacks, as a sentence; undefined when it has them all. */
export async function timeoutProblem(db: Db): Promise<string | undefined> {
  for (const name of Object.keys(roleTimeouts)) {
    const [row] = await query<Record<string, string>>(db, `SHOW ${name}`);
    if (row?.[name] !== '0') continue;
    return `Connections to the database have no ${name}: run npm run migrate, which sets it for their role.`;
  }
  return undefined;
}
