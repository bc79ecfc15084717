import { deleteRules, keptSince, type DeleteRule } from '../../entities/rules/retention/retention';
import { movingSql } from '../../entities/database/moving';
import { erasedEmail, erasedMemberName } from '../../entities/rules/erasure/erasure';
import { inviteMoves } from '../../entities/rules/partners/invite';
import { type Db, execute, queryOne, rowsAtOnce, sliceMs } from '../../entities/database/sql';
import { purgeNotifications } from '../notifications/retention';

/** Deletes up to `most` rows of before; gives how many. */
type Purge = (db: Db, before: Date, max: number) => Promise<number>;

const ownPurges: Readonly<Record<string, Purge>> = {
  // This purge keeps other rows in step with those that go.
  notifications: purgeNotifications,
  // What only the owner of the schema deletes.
  webhook_deliveries: purgeDeliveries,
  // What stays without the person.
  merchant_accounts: forgetMembers,
  partner_invites: forgetInvites,
};

export const purgedTables: readonly string[] = [...new Set(deleteRules.map(({ table }) => table))];

/** Deletes for a few seconds of what is past its time in a table; 0 when nothing is left. */
export async function purgeTable(db: Db, table: string, now: Date): Promise<number> {
  let deleted = 0;
  for (const rule of deleteRules) {
    if (rule.table === table) deleted += await purgeSliceBySlice(db, rule, now);
  }
  return deleted;
}

async function purgeSliceBySlice(db: Db, rule: DeleteRule, now: Date): Promise<number> {
  const before = keptSince(rule, now);
  const purge = ownPurges[rule.table] ?? purgeBy(rule);
  const until = performance.now() + sliceMs;
  for (let deleted = 0; ;) {
    const rows = await purge(db, before, rowsAtOnce);
    deleted += rows;
    if (rows < rowsAtOnce || performance.now() >= until) return deleted;
  }
}

function purgeBy(rule: DeleteRule): Purge {
  const statement = deleteStatement(rule);
  return (db, before, max) => execute(db, statement, [before, max]);
}

/** The index gives the oldest rows first, and nothing else is read. */
function deleteStatement({ table, since, also = 'true' }: DeleteRule): string {
  const bound = since === 'id' ? 'first_id_at($1)' : '$1';
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM ${table} WHERE ${since} < ${bound} AND ${also}
     ORDER BY ${since} LIMIT $2))`;
}

/** Who left: history and audit still name the row. */
async function forgetMembers(db: Db, before: Date, max: number): Promise<number> {
  return execute(
    db,
    `UPDATE merchant_accounts SET email = $3, name = $4, password_hash = '!',
            email_verified_at = NULL
      WHERE ctid = ANY (ARRAY (SELECT ctid FROM merchant_accounts
        WHERE removed_at < $1 AND email <> $3 ORDER BY removed_at LIMIT $2))`,
    [before, max, erasedEmail, erasedMemberName],
  );
}

const ending = movingSql(inviteMoves, { trigger: 'erase', to: 'erased', of: 'i' });

/** Invites that nobody took up, long after they could be. */
async function forgetInvites(db: Db, before: Date, max: number): Promise<number> {
  return execute(
    db,
    `UPDATE partner_invites AS i SET ${ending.set}, email = $3, name = NULL
      WHERE ${ending.where} AND i.id = ANY (ARRAY (SELECT id FROM partner_invites
        WHERE expires_at < $1 AND status IN ('pending', 'deleted')
        ORDER BY expires_at LIMIT $2))`,
    [before, max, erasedEmail],
  );
}

async function purgeDeliveries(db: Db, before: Date, max: number): Promise<number> {
  const row = await queryOne<{ deleted: number }>(
    db,
    'SELECT delete_old_deliveries($1, $2) AS deleted',
    [before, max],
  );
  return row?.deleted ?? 0;
}
