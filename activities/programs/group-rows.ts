import { findOne } from '../../entities/database/find';
import type { Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import {
  defaultGroupName,
  defaultGroupOf,
  groupNameKey,
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

/** The same of one that must be there. GROUP_NOT_FOUND. */
export async function groupOf(db: Db, program: Program, groupId: string): Promise<ProgramGroup> {
  const group = await findGroup(db, program, groupId);
  if (!group) throw new AppError('GROUP_NOT_FOUND');
  return group;
}
