import { selectList } from '../../entities/database/columns';
import { Program } from '../../entities/tables/programs/program.entity';
import type { Scope } from '../../entities/rules/values/mode';
import { newestFirst, readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';

/** The programmes of a workspace and mode, newest first. */
export function listPrograms(
  db: Db,
  { workspaceId, mode }: Scope,
  page: Window,
): Promise<Found<Program>> {
  const list = {
    columns: selectList(Program, 'p'),
    from: 'programs AS p',
    where: 'p.workspace_id = $1 AND p.mode = $2',
    params: [workspaceId, mode],
    order: newestFirst('p'),
  };
  return readList(db, list, page);
}
