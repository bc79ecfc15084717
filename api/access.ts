import { causeOf, type Cause, type CommandContext } from '../activities/journal/cause';
import type { PartnerPrincipal, Principal } from '../activities/credentials/principals';
import { AppError, type ErrorCode } from '../entities/errors';
import { findById, findOne } from '../entities/database/find';
import { Participant } from '../entities/tables/partners/participant.entity';
import { Program } from '../entities/tables/programs/program.entity';
import type { Mode, Scope } from '../entities/rules/values/mode';
import { queryOne, type Db } from '../entities/database/sql';

interface WorkspaceContext {
  db: Db;
  scope: Scope;
}

interface PartnerContext {
  db: Db;
  mode: Mode;
  principal: PartnerPrincipal;
}

/**
 * The programme of a path, for a merchant or a key (docs/reference/programmes.md, Access): another
 * workspace's, in either mode, is FORBIDDEN; an unknown one, or one of the other mode,
 * PROGRAM_NOT_FOUND.
 */
export async function programOf(
  ctx: WorkspaceContext,
  programId: string,
  forbidden: ErrorCode = 'FORBIDDEN',
): Promise<Program> {
  const program = await findById(ctx.db, Program, programId);
  if (!program) throw new AppError('PROGRAM_NOT_FOUND');
  if (program.workspaceId !== ctx.scope.workspaceId) throw new AppError(forbidden);
  if (program.mode !== ctx.scope.mode) throw new AppError('PROGRAM_NOT_FOUND');
  return program;
}

/**
 * The participant of a path below a programme: programOf's refusals, then PARTICIPANT_NOT_FOUND.
 */
export async function participantOf(
  ctx: WorkspaceContext,
  path: { programId: string; participantId: string },
  forbidden: ErrorCode = 'FORBIDDEN',
): Promise<Participant> {
  const program = await programOf(ctx, path.programId, forbidden);
  const participant = await findById(ctx.db, Participant, path.participantId);
  if (participant?.programId !== program.id) throw new AppError('PARTICIPANT_NOT_FOUND');
  return participant;
}

/**
 * What the signed-in partner is in the programme of a path, erased or not. A programme of the other
 * mode, or one that the partner is not in, is PROGRAM_NOT_FOUND.
 */
export async function participationOf(
  ctx: PartnerContext,
  programId: string,
): Promise<Participant> {
  const participant = await findOne(ctx.db, Participant, {
    where: { programId, partnerId: ctx.principal.accountId, mode: ctx.mode },
  });
  if (!participant) throw new AppError('PROGRAM_NOT_FOUND');
  return participant;
}

/** The `programOf` of endpoints whose path names a row of this table; null for none of the workspace. */
export function programOfRow<P extends string>(table: 'payouts' | 'conversions', param: P) {
  return async (
    ctx: WorkspaceContext & { input: { params: Record<P, string> } },
  ): Promise<string | null> => {
    const row = await queryOne<{ programId: string | null }>(
      ctx.db,
      `SELECT program_id AS "programId" FROM ${table}
        WHERE id = $1 AND workspace_id = $2 AND mode = $3`,
      [ctx.input.params[param], ctx.scope.workspaceId, ctx.scope.mode],
    );
    return row?.programId ?? null;
  };
}

/** The context of a partner's command on what is its own in the programme of a workspace. */
export function partnerContextOf(
  request: Cause,
  { workspaceId, mode }: Participant,
): CommandContext {
  return { ...causeOf(request), scope: { workspaceId, mode } };
}

/** The only programme that the caller's key may reach; null for every other caller. */
export function keyProgramOf({ principal }: { principal: Principal }): string | null {
  return principal.kind === 'management_key' ? principal.programId : null;
}
