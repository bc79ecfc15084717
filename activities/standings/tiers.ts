import { findOne } from '../../entities/database/find';
import { insertAll } from '../../entities/database/insert-all';
import { query, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import {
  groupsOfSteps,
  noTiers,
  stepsThatAct,
  tierProblems,
  type Tiers,
  type TierStep,
} from '../../entities/rules/programs/tiers';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import { ReachedStep } from '../../entities/tables/partners/reached-step.entity';
import { ProgramTiers } from '../../entities/tables/programs/program-tiers.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { notify } from '../notifications/notify';
import { moveMember } from '../partners/move';
import { groupOf, refuseUnknownGroups } from '../programs/group-rows';
import { lockOpenProgram } from '../programs/programs';
import { enqueueStandings } from './ask';
import { figuresOf } from './figures';

/** The steps of a programme. */
export async function tiersOf(db: Db, programId: string): Promise<Tiers> {
  const tiers = await findOne(db, ProgramTiers, { where: { programId } });
  return tiers ? { metric: tiers.metric, steps: tiers.steps } : noTiers;
}

/**
 * Puts steps in the place of those that there are; new and changed ones act on whoever has reached them.
 * PROGRAM_ARCHIVED; VALIDATION_ERROR for steps that do not rise, or a group that is none of the programme's.
 */
export async function replaceTiers(
  db: Db,
  context: CommandContext,
  { programId, tiers }: { programId: string; tiers: Tiers },
): Promise<Tiers> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, context.scope, programId);
    const problems = tierProblems(tiers.steps, programId);
    if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems });
    await refuseUnknownGroups(tx, program, groupsOfSteps(tiers.steps));
    const { workspaceId, mode } = program;
    const row = { programId, workspaceId, mode, ...tiers, updatedAt: context.now };
    await insertAll(tx, {
      into: ProgramTiers,
      rows: [row],
      onConflict: `ON CONFLICT (program_id) DO UPDATE
        SET metric = excluded.metric, steps = excluded.steps, updated_at = excluded.updated_at`,
    });
    const target = { type: 'program', id: programId };
    await record(tx, context, { audit: { action: 'program.tiers_replaced', target } });
    await enqueueStandings(tx, context, [{ programId }]);
    return tiers;
  });
}

/** A partner of a programme whose standing is computed, under the lock of their row. */
export interface Standing {
  program: Program;
  participant: Participant;
}

/** Whether what they have brought may act on them: approved, of a programme that goes on. */
export function isActive({ program, participant }: Standing): boolean {
  const isApproved = participant.status === 'approved' && participant.erasedAt === null;
  return isApproved && program.status !== 'archived';
}

/** Moves whoever has reached a step; the group that they are in then. */
export async function actOnSteps(
  tx: Tx,
  context: CommandContext,
  standing: Standing,
): Promise<string> {
  const { program, participant } = standing;
  const { id: participantId, programId } = participant;
  const groupId = participant.groupId ?? programId;
  if (!isActive(standing)) return groupId;
  const { metric, steps } = await tiersOf(tx, programId);
  if (steps.length === 0) return groupId;
  const [figure] = await figuresOf(tx, { programId, participantId }, [{ metric }]);
  if (!figure) return groupId;
  const reached = await reachedBy(tx, participantId);
  const acting = stepsThatAct(steps, { figure, groupId, defaultGroupId: programId, reached });
  await keepReached(tx, context, { participant, steps: acting.reached });
  if (acting.groupId === null) return groupId;
  const group = await groupOf(tx, program, acting.groupId);
  const move = { program, group, participantId, participant, source: 'tier' } as const;
  const notice = await moveMember(tx, context, move);
  await notify(tx, context, notice ? [notice] : []);
  return group.id;
}

function reachedBy(tx: Tx, participantId: string): Promise<TierStep[]> {
  return query<TierStep>(
    tx,
    `SELECT at_least AS "atLeast", group_id AS "groupId" FROM reached_steps
      WHERE participant_id = $1`,
    [participantId],
  );
}

async function keepReached(
  tx: Tx,
  { now: reachedAt }: CommandContext,
  { participant, steps }: { participant: Participant; steps: readonly TierStep[] },
): Promise<void> {
  const { id: participantId, programId, workspaceId, mode } = participant;
  const own = { participantId, programId, workspaceId, mode, reachedAt };
  const rows = steps.map(({ groupId, atLeast }) => ({ ...own, groupId, atLeast }));
  await insertAll(tx, { into: ReachedStep, rows, onConflict: 'ON CONFLICT DO NOTHING' });
}
