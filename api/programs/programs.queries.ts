import { Program } from '../../entities/tables/programs/program.entity';
import type { Scope } from '../../entities/rules/values/mode';
import type { Db } from '../../entities/database/sql';
import { pageWindow } from '../http/contract/pagination';

/** The programmes of a workspace and mode, newest first. */
export async function listPrograms(
  db: Db,
  { workspaceId, mode }: Scope,
  page: { page: number; limit: number },
): Promise<{ rows: Program[]; total: number }> {
  const { limit, offset } = pageWindow(page);
  const [rows, total] = await db.findAndCount(Program, {
    where: { workspaceId, mode },
    order: { createdAt: 'DESC', id: 'DESC' },
    take: limit,
    skip: offset,
  });
  return { rows, total };
}

/** A public programme: an active one, of either mode, that takes applications. */
export async function findPublicProgram(db: Db, programId: string): Promise<Program | null> {
  return db.findOneBy(Program, { id: programId, status: 'active', publicApplications: true });
}
