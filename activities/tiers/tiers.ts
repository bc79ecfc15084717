import { findOne } from '../../entities/database/find';
import { insertAll } from '../../entities/database/insert-all';
import { query, rowsAtOnce, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import {
  groupsOfSteps,
  noTiers,
  stepsThatAct,
  tierProblems,
  type Tiers,
  type TierStep,
} from '../../entities/rules/programs/tiers';
import { Participant } from '../../entities/tables/partners/participant.entity';
import { ReachedStep } from '../../entities/tables/partners/reached-step.entity';
import { ProgramTiers } from '../../entities/tables/programs/program-tiers.entity';
import type { CommandContext } from '../journal/cause';
import { enqueueAll, enqueueSql } from '../journal/outbox';
import { record } from '../journal/record';
import { notify } from '../notifications/notify';
import { moveMember } from '../partners/move';
import { groupOf, refuseUnknownGroups } from '../programs/group-rows';
import { holdProgram, lockOpenProgram } from '../programs/programs';
import { figureOf } from './figures';

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
    await enqueueAll(tx, [workOf(context, { programId })]);
    return tiers;
  });
}

/** A partner whose standing is to be looked at; without one a page of all, behind the last. */
export interface StandingWork {
  programId: string;
  participantId?: string | undefined;
  after?: string | undefined;
}

function workOf(
  { scope: { workspaceId, mode }, now: availableAt, requestId }: CommandContext,
  { programId, participantId, after }: StandingWork,
) {
  const payload = {
    ...{ mode, programId },
    ...(participantId === undefined ? {} : { participantId }),
    ...(after === undefined ? {} : { after }),
  };
  const ref = participantId ?? programId;
  return { topic: 'standing' as const, ref, workspaceId, requestId, payload, availableAt };
}

/**
 * Events that may have changed a figure, a status or a group have their partner looked at, where the
 * programme has steps.
 */
export async function askStandings(
  tx: Tx,
  { now }: { now: Date },
  eventIds: readonly string[],
): Promise<void> {
  await query(
    tx,
    enqueueSql({
      topic: 'standing',
      ref: 'told.participant_id',
      payload: `jsonb_build_object('mode', told.mode, 'programId', told.program_id,
                                   'participantId', told.participant_id)`,
      workspaceId: 'told.workspace_id',
      availableAt: '$2::timestamptz',
      from: `(SELECT DISTINCT e.workspace_id, e.mode,
                    coalesce(e.object->>'program_id', e.object->'attribution'->>'program_id')::uuid
                      AS program_id,
                    (CASE WHEN e.type LIKE 'participant.%' THEN e.object->>'id'
                          ELSE coalesce(e.object->>'participant_id',
                                        e.object->'attribution'->>'participant_id') END)::uuid
                      AS participant_id
               FROM events AS e
              WHERE e.id = ANY ($1::uuid[])
                AND (e.type LIKE 'conversion.%' OR e.type LIKE 'commission.%'
                  OR e.type IN ('participant.approved', 'participant.moved'))) AS told
       JOIN program_tiers AS t ON t.program_id = told.program_id AND t.steps <> '[]'
      WHERE told.participant_id IS NOT NULL`,
    }),
    [eventIds, now],
  );
}

/** Acts on a partner whose figure has reached a step, or asks for a page of all partners. */
export async function actOnStanding(
  db: Db,
  context: CommandContext,
  work: StandingWork,
): Promise<void> {
  const { programId, participantId, after } = work;
  await transaction(db, async (tx) => {
    if (participantId !== undefined) return actOn(tx, context, { programId, participantId });
    const page = await query<{ id: string }>(
      tx,
      `SELECT id FROM participants
        WHERE program_id = $1 AND workspace_id = $2 AND mode = $3 AND status = 'approved'
          AND erased_at IS NULL AND ($4::uuid IS NULL OR id > $4)
        ORDER BY id LIMIT ${rowsAtOnce}`,
      [programId, context.scope.workspaceId, context.scope.mode, after ?? null],
    );
    const last = page.length === rowsAtOnce ? page.at(-1)?.id : undefined;
    await enqueueAll(tx, [
      ...page.map(({ id }) => workOf(context, { programId, participantId: id })),
      ...(last === undefined ? [] : [workOf(context, { programId, after: last })]),
    ]);
  });
}

/** Under the lock of the partner's row: of two at once the second finds what the first has left. */
async function actOn(
  tx: Tx,
  context: CommandContext,
  { programId, participantId }: { programId: string; participantId: string },
): Promise<void> {
  const program = await holdProgram(tx, programId, context.scope).catch(unknown);
  if (!program || program.status === 'archived') return;
  const { workspaceId, mode } = context.scope;
  const where = { id: participantId, programId, workspaceId, mode };
  const participant = await findOne(tx, Participant, { where, lock: 'UPDATE' });
  if (!participant || participant.status !== 'approved' || participant.erasedAt) return;
  const { metric, steps } = await tiersOf(tx, programId);
  if (steps.length === 0) return;
  const figure = await figureOf(tx, { programId, participantId }, metric);
  const groupId = participant.groupId ?? programId;
  const reached = await reachedBy(tx, participantId);
  const acting = stepsThatAct(steps, { figure, groupId, defaultGroupId: programId, reached });
  await keepReached(tx, context, { participant, steps: acting.reached });
  if (acting.groupId === null) return;
  const group = await groupOf(tx, program, acting.groupId);
  const move = { program, group, participantId, participant, source: 'tier' } as const;
  const notice = await moveMember(tx, context, move);
  await notify(tx, context, notice ? [notice] : []);
}

/** A reset of test data took the programme. */
function unknown(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
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
