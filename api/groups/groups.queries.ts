import { selectList } from '../../entities/database/columns';
import { readList, type Found, type Window } from '../../entities/database/list';
import { queryOne, type Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { GroupRow } from './groups.dto';

const columns = `${selectList(ProgramGroup, 'r')},
  (SELECT count(*) FROM participants AS p
    WHERE coalesce(p.group_id, p.program_id) = r.id) AS participants`;

/** The groups of a programme in the order in which they were made, the default one first. */
export function listGroups(db: Db, programId: string, page: Window): Promise<Found<GroupRow>> {
  const list = {
    columns,
    from: 'program_groups AS r',
    where: 'r.program_id = $1 AND r.deleted_at IS NULL',
    params: [programId],
    order: { by: ['r.created_at', 'r.id'], direction: 'ASC' as const },
  };
  return readList(db, list, page);
}

/** GROUP_NOT_FOUND, for another programme's too. */
export async function getGroup(
  db: Db,
  { programId, groupId }: { programId: string; groupId: string },
): Promise<GroupRow> {
  const row = await queryOne<GroupRow>(
    db,
    `SELECT ${columns} FROM program_groups AS r
      WHERE r.id = $1 AND r.program_id = $2 AND r.deleted_at IS NULL`,
    [groupId, programId],
  );
  if (!row) throw new AppError('GROUP_NOT_FOUND');
  return row;
}
