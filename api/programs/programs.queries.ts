import { selectList } from '../../entities/database/columns';
import { Program } from '../../entities/tables/programs/program.entity';
import type { Scope } from '../../entities/rules/values/mode';
import { countFrom, query, type Db } from '../../entities/database/sql';
import { pageWindow } from '../http/contract/pagination';

/** The programmes of a workspace and mode, newest first. */
export async function listPrograms(
  db: Db,
  { workspaceId, mode }: Scope,
  page: { page: number; limit: number },
): Promise<{ rows: Program[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const from = 'programs AS p WHERE p.workspace_id = $1 AND p.mode = $2';
  const own = [workspaceId, mode];
  const rows = await query<Program>(
    db,
    `SELECT ${selectList(Program, 'p')} FROM ${from}
      ORDER BY p.created_at DESC, p.id DESC LIMIT $3 OFFSET $4`,
    [...own, limit, offset],
  );
  const total = await countFrom(db, from, own);
  return { rows, total };
}
