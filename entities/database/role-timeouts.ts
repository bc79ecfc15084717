import { timeouts } from './connection';
import { longestStatementMs } from './database';
import { execute, query, queryOne, type Db } from './sql';

export const roleTimeouts = timeouts(longestStatementMs);

/**
 * Gives the role its time-outs, for this database: through a pooler a session cannot have any of
 * its own. Sessions that are open keep what they have.
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

/** Whether sessions of the role in this database begin with these time-outs. */
export async function hasRoleTimeouts(db: Db, role: string): Promise<boolean> {
  // A setting of the role in this database comes before one of the role, and that before one of the database.
  const row = await queryOne<{ has: boolean }>(
    db,
    `SELECT bool_and(coalesce((
       SELECT split_part(setting, '=', 2) FROM pg_db_role_setting, unnest(setconfig) AS setting
        WHERE setrole IN (0, to_regrole(quote_ident($1))) AND split_part(setting, '=', 1) = name
          AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
        ORDER BY setrole <> 0 DESC, setdatabase <> 0 DESC LIMIT 1) = value, false)) AS has
       FROM unnest($2::text[], $3::text[]) AS wanted (name, value)`,
    [role, Object.keys(roleTimeouts), Object.values(roleTimeouts).map(String)],
  );
  return row?.has === true;
}

/** Which time-out this connection lacks, as a sentence; undefined when it has them all. */
export async function timeoutProblem(db: Db): Promise<string | undefined> {
  for (const name of Object.keys(roleTimeouts)) {
    const [row] = await query<Record<string, string>>(db, `SHOW ${name}`);
    if (row?.[name] !== '0') continue;
    return `Connections to the database have no ${name}: run aps migrate, which sets it for their role.`;
  }
  return undefined;
}
