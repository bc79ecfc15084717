import { findOne } from '../../entities/database/find';
import { selectList } from '../../entities/database/columns';
import { query, queryOne, type Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import {
  defaultGroupName,
  defaultGroupOf,
  groupNameKey,
  type NamedGroup,
} from '../../entities/rules/programs/groups';
import { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';

/** The group that comes with a programme and has its id. */
export function defaultGroupRow({ id, workspaceId, mode, createdAt }: Program): ProgramGroup {
  const { name, ...terms } = defaultGroupOf(id, defaultGroupName);
  return {
    ...terms,
    workspaceId,
    mode,
    programId: id,
    name,
    nameKey: groupNameKey(name),
    description: null,
    publicApplications: false,
    approvalMode: null,
    createdAt,
    updatedAt: createdAt,
    deletedAt: null,
  };
}

export function isDefaultGroup({ id, programId }: Pick<ProgramGroup, 'id' | 'programId'>): boolean {
  return id === programId;
}

/** A group of a programme; undefined for one that is deleted, or another programme's. */
export async function findGroup(
  db: Db,
  program: Program,
  groupId: string,
): Promise<ProgramGroup | undefined> {
  const where = { id: groupId, programId: program.id };
  const group = await findOne(db, ProgramGroup, { where });
  if (group) return group.deletedAt === null ? group : undefined;
  // A programme that the release before has made has none written down.
  return groupId === program.id ? defaultGroupRow(program) : undefined;
}

/** The group that has this name, in any case. */
export async function findGroupNamed(
  db: Db,
  { id: programId }: Pick<Program, 'id'>,
  name: string,
): Promise<ProgramGroup | undefined> {
  return queryOne<ProgramGroup>(
    db,
    `SELECT ${selectList(ProgramGroup, 'r')} FROM program_groups AS r
      WHERE r.program_id = $1 AND r.name_key = $2 AND r.deleted_at IS NULL`,
    [programId, groupNameKey(name)],
  );
}

/** All groups of a programme, the default one first, the others in the order in which they were made. */
export async function groupRowsOf(db: Db, program: Program): Promise<ProgramGroup[]> {
  const rows = await query<ProgramGroup>(
    db,
    `SELECT ${selectList(ProgramGroup, 'r')} FROM program_groups AS r
      WHERE r.program_id = $1 AND r.deleted_at IS NULL ORDER BY r.created_at, r.id`,
    [program.id],
  );
  const others = rows.filter((row) => !isDefaultGroup(row));
  return [rows.find(isDefaultGroup) ?? defaultGroupRow(program), ...others];
}

/** Ids of the groups that have these names, as they are compared, by the name. */
export async function groupsByName(
  db: Db,
  { id: programId }: Pick<Program, 'id'>,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; key: string }>(
    db,
    `SELECT id, name_key AS key FROM program_groups
      WHERE program_id = $1 AND deleted_at IS NULL AND (name_key = ANY ($2::text[]) OR id = $1)`,
    [programId, [...new Set(keys)]],
  );
  const hasDefault = rows.some(({ id }) => id === programId);
  const unwritten = hasDefault ? [] : [[groupNameKey(defaultGroupName), programId] as const];
  return new Map([...unwritten, ...rows.map(({ id, key }) => [key, id] as const)]);
}

/** VALIDATION_ERROR with the place of each that the programme does not have. */
export async function refuseUnknownGroups(
  db: Db,
  { id: programId }: Pick<Program, 'id'>,
  named: readonly NamedGroup[],
): Promise<void> {
  if (named.length === 0) return;
  const rows = await query<{ id: string }>(
    db,
    `SELECT id FROM program_groups
      WHERE program_id = $1 AND deleted_at IS NULL AND id = ANY ($2::uuid[])`,
    [programId, named.map(({ groupId }) => groupId)],
  );
  const known = new Set([programId, ...rows.map(({ id }) => id)]);
  const unknown = named.filter(({ groupId }) => !known.has(groupId)).map(({ field }) => field);
  if (unknown.length === 0) return;
  const message = 'must be groups of the programme';
  const details = [...new Set(unknown)].map((field) => ({ field, message }));
  throw new AppError('VALIDATION_ERROR', { details });
}

/** The same of one that must be there. GROUP_NOT_FOUND. */
export async function groupOf(db: Db, program: Program, groupId: string): Promise<ProgramGroup> {
  const group = await findGroup(db, program, groupId);
  if (!group) throw new AppError('GROUP_NOT_FOUND');
  return group;
}
