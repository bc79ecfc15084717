import { findById } from '../../../entities/database/find';
import { execute, query, transaction, type Db, type Tx } from '../../../entities/database/sql';
import { importKinds } from '../../../entities/rules/imports/kinds';
import { firstPlace } from '../../../entities/rules/imports/place';
import { problemOf } from '../../../entities/rules/imports/problems';
import { groupNameKey } from '../../../entities/rules/programs/groups';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Import } from '../../../entities/tables/imports/import.entity';
import type { ImportRow } from '../../../entities/tables/imports/import-row.entity';
import { Program } from '../../../entities/tables/programs/program.entity';
import type { CommandContext } from '../../journal/cause';
import { groupsByName } from '../../programs/group-rows';
import { addGroups, dropUnusedGroups } from '../../programs/groups';
import { holdForWork, keepPlace } from '../imports';
import { keyOfRow } from './booking';

/** Whether the groups of an import are to be found or made before anything else of it. */
export function isForGroups({ groupBy, place }: Pick<Import, 'groupBy' | 'place'>): boolean {
  return groupBy !== null && place === null;
}

/** Makes the groups in which its new partners begin, where the programme has none of the name. */
export async function bookGroups(db: Db, held: Import, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    const program = await lockProgramOf(tx, held);
    const current = await holdForWork(tx, held);
    if (!current || !isForGroups(current)) return;
    const names = await query<{ name: string }>(
      tx,
      `SELECT group_name AS name FROM import_rows
        WHERE import_id = $1 AND kind = 'partners' AND outcome = 'new' AND problem IS NULL
          AND group_name IS NOT NULL
        GROUP BY group_name ORDER BY min(n)`,
      [current.id],
    );
    if (program) {
      const groups = names.map(({ name }) => ({ name, ...offerOf(current, program, name) }));
      const made = await addGroups(tx, contextOf(current, now), { program, groups });
      await execute(
        tx,
        'UPDATE imports SET made_groups = made_groups || $2::uuid[] WHERE id = $1',
        [current.id, made.map(({ id }) => id)],
      );
    }
    const [kind] = importKinds;
    const progress = { step: kind, done: 0, total: null };
    await keepPlace(tx, current.id, { place: { ...firstPlace, kind }, progress });
  });
}

/** Deletes the groups that this import made, as far as they are still unused. */
export async function takeBackGroups(db: Db, held: Import, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    const program = await lockProgramOf(tx, held);
    const current = await holdForWork(tx, held);
    if (!current) return;
    if (program) {
      const groupIds = current.madeGroups ?? [];
      await dropUnusedGroups(tx, contextOf(current, now), { program, groupIds });
    }
    await execute(tx, 'UPDATE imports SET made_groups = NULL WHERE id = $1', [current.id]);
  });
}

/** Locks the programme before the import's own row, as whoever asks for something of it. */
async function lockProgramOf(tx: Tx, { programId }: Import): Promise<Program | undefined> {
  await query(tx, 'SELECT 1 FROM programs WHERE id = $1 FOR UPDATE', [programId]);
  return findById(tx, Program, programId);
}

function contextOf({ workspaceId, mode }: Import, now: Date): CommandContext {
  return { actor: systemActor, now, scope: { workspaceId, mode } };
}

/** What its campaign promises, where that is wanted, and can be said in the programme's currency. */
function offerOf({ groupBy, report }: Import, { currency }: Program, name: string) {
  if (groupBy !== 'campaign_and_commission') return {};
  const key = groupNameKey(name);
  const offer = report?.terms?.find((told) => groupNameKey(told.name) === key)?.offer;
  if (!offer || (offer.currency !== null && offer.currency !== currency)) return {};
  return { commission: offer.commission };
}

interface Placing {
  tx: Tx;
  held: Import;
  program: Program;
}

/**
 * The group that each row's partner begins in, by what the row is known by; those of the default one are
 * missing. A group that there is no room for is told.
 */
export async function placesOf(
  { tx, held, program }: Placing,
  rows: readonly ImportRow[],
): Promise<Map<string, string>> {
  if (held.groupBy === null) return new Map();
  const named = rows.flatMap((row) =>
    row.groupName === null ? [] : [{ row, key: groupNameKey(row.groupName) }],
  );
  const groups = await groupsByName(
    tx,
    program,
    named.map(({ key }) => key),
  );
  const without = named.filter(({ key }) => !groups.has(key)).map(({ row }) => row.n);
  const problem = problemOf('FIELD_INVALID', 'group has no place: the programme has too many');
  await execute(
    tx,
    `UPDATE import_rows SET side_problem = $3, side_message = $4
      WHERE import_id = $1 AND kind = 'partners' AND n = ANY ($2::int[])`,
    [held.id, without, problem.code, problem.message],
  );
  return new Map(
    named.flatMap(({ row, key }) => {
      const groupId = groups.get(key);
      return groupId === undefined || groupId === program.id ? [] : [[keyOfRow(row), groupId]];
    }),
  );
}
