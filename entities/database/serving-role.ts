import type { Pooler } from './database';
import { driverCode } from './errors';
import { hasRoleTimeouts, setRoleTimeouts } from './role-timeouts';
import { execute, query, queryOne, transaction, type Db } from './sql';
import { ownerFunctions, privilegesOn } from './table-access';

/** How processes reach the database, while the schema's owner may be another role. */
export interface Serving {
  url: string;
  pooler: Pooler;
}

interface Change {
  privilege: string;
  relation: string;
}

const unauthorised = '42501';
const concurrently = 'XX000';

/**
 * Makes the role of the processes where it is missing, and gives it what it may do and no more;
 * called as the owner of the schema. With one role for both there is nothing to give.
 */
export async function prepareServingRole(db: Db, { url, pooler }: Serving): Promise<void> {
  const role = roleOf(url);
  if (await isOwner(db, role)) {
    if (pooler !== 'none') await setRoleTimeouts(db, role);
    return;
  }
  await prepareRole(db, url);
  await transaction(db, (tx) => giveAccess(tx, role));
  await setRoleTimeouts(db, role).catch((error: unknown) => {
    if (pooler !== 'none' || driverCode(error) !== unauthorised) throw error;
  });
}

/** Whether the role is there, may do just what it should, and has the time-outs that it needs. */
export async function isServingRoleReady(db: Db, { url, pooler }: Serving): Promise<boolean> {
  const role = roleOf(url);
  // Without a pooler each session has time-outs of its own.
  if (pooler !== 'none' && !(await hasRoleTimeouts(db, role))) return false;
  if (await isOwner(db, role)) return true;
  if (!(await exists(db, role))) return false;
  const { missing, surplus } = await differences(db, role);
  return missing.length + surplus.length === 0 && (await hasTheRest(db, role));
}

function roleOf(url: string): string {
  return decodeURIComponent(new URL(url).username);
}

async function isOwner(db: Db, role: string): Promise<boolean> {
  const [row] = await query<{ owner: string }>(db, 'SELECT current_user AS owner');
  return row?.owner === role;
}

async function exists(db: Db, role: string): Promise<boolean> {
  return (await query(db, 'SELECT 1 FROM pg_roles WHERE rolname = $1', [role])).length > 0;
}

/** Makes the role, or gives it the password of the URL. */
async function prepareRole(db: Db, url: string): Promise<void> {
  const role = roleOf(url);
  const password = decodeURIComponent(new URL(url).password);
  const [quoted] = await query<{ role: string; password: string }>(
    db,
    'SELECT quote_ident($1) AS role, quote_literal($2) AS password',
    [role, password],
  );
  if (!quoted) return;
  const withPassword = password === '' ? '' : `PASSWORD ${quoted.password}`;
  if (await exists(db, role)) {
    if (withPassword !== '') await setPassword(db, `ALTER ROLE ${quoted.role} ${withPassword}`);
    return;
  }
  try {
    await execute(db, `CREATE ROLE ${quoted.role} LOGIN ${withPassword}`);
  } catch (error) {
    if (driverCode(error) !== unauthorised) throw error;
    throw new Error(
      `The role ${role} of DATABASE_URL does not exist, and the owner of the schema may not create it: CREATE ROLE ${quoted.role} LOGIN PASSWORD '...'`,
    );
  }
}

/** Whoever may not, or is not alone, leaves the password that there is. */
async function setPassword(db: Db, statement: string): Promise<void> {
  try {
    await execute(db, statement);
  } catch (error) {
    if (![unauthorised, concurrently].includes(driverCode(error) ?? '')) throw error;
  }
}

async function giveAccess(db: Db, role: string): Promise<void> {
  const names = await queryOne<{ role: string; database: string }>(
    db,
    'SELECT quote_ident($1) AS role, quote_ident(current_database()) AS database',
    [role],
  );
  if (!names) return;
  const { surplus } = await differences(db, role);
  for (const { privilege, relation } of surplus) {
    await execute(db, `REVOKE ${privilege} ON ${relation} FROM ${names.role}`);
  }
  // Revoking a privilege on a table revokes those on its columns too, so what is missing is read again.
  const { missing } = await differences(db, role);
  for (const { privilege, relation } of missing) {
    await execute(db, `GRANT ${privilege} ON ${relation} TO ${names.role}`);
  }
  await execute(db, `GRANT CONNECT ON DATABASE ${names.database} TO ${names.role}`);
  await execute(db, `GRANT USAGE ON SCHEMA public TO ${names.role}`);
  // The relay reads how far the outbox has been numbered.
  await execute(db, `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${names.role}`);
  await execute(db, `GRANT EXECUTE ON FUNCTION ${ownerFunctions.join(', ')} TO ${names.role}`);
  // Up to Postgres 14 every role may create tables in it.
  await execute(db, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
}

/** Whether the role has what it needs beside tables. */
async function hasTheRest(db: Db, role: string): Promise<boolean> {
  const row = await queryOne<{ isReady: boolean }>(
    db,
    `SELECT has_database_privilege($1, current_database(), 'CONNECT')
       AND has_schema_privilege($1, 'public', 'USAGE')
       AND (SELECT coalesce(bool_and(has_sequence_privilege($1, oid, 'USAGE')
                                 AND has_sequence_privilege($1, oid, 'SELECT')), true)
              FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S')
       AND (SELECT bool_and(has_function_privilege($1, name, 'EXECUTE'))
              FROM unnest($2::text[]) AS f(name)) AS "isReady"`,
    [role, ownerFunctions],
  );
  return row?.isReady === true;
}

/** What the role lacks on tables, and what it has beyond. Partitions are reached by their table. */
async function differences(
  db: Db,
  role: string,
): Promise<{ missing: Change[]; surplus: Change[] }> {
  const tables = await query<{ name: string; held: string[] }>(
    db,
    `SELECT c.relname AS name, ARRAY(
       SELECT a.privilege_type FROM aclexplode(c.relacl) AS a
         JOIN pg_roles AS r ON r.oid = a.grantee AND r.rolname = $1
       UNION ALL
       SELECT a.privilege_type || ' (' || k.attname || ')'
         FROM pg_attribute AS k CROSS JOIN LATERAL aclexplode(k.attacl) AS a
         JOIN pg_roles AS r ON r.oid = a.grantee AND r.rolname = $1
        WHERE k.attrelid = c.oid AND k.attacl IS NOT NULL) AS held
       FROM pg_class AS c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND (NOT c.relispartition OR c.relname LIKE '%\\_default')
      ORDER BY 1`,
    [role],
  );
  const missing: Change[] = [];
  const surplus: Change[] = [];
  for (const { name, held } of tables) {
    const wanted = privilegesOn(name);
    const lacks = wanted.filter((privilege) => !held.includes(privilege));
    const excess = held.filter((privilege) => !wanted.includes(privilege));
    missing.push(...lacks.map((privilege) => ({ privilege, relation: name })));
    surplus.push(...excess.map((privilege) => ({ privilege, relation: name })));
  }
  return { missing, surplus };
}
