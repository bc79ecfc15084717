import { query, type Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { enqueueAll, enqueueSql } from '../journal/outbox';

/** A partner whose standing is to be computed; without one a page of all, behind the last. */
export interface StandingWork {
  programId: string;
  participantId?: string | undefined;
  after?: string | undefined;
}

/** Enqueues the standing of the partner, or of a page of all. */
export async function enqueueStandings(
  tx: Tx,
  context: CommandContext,
  work: readonly StandingWork[],
): Promise<void> {
  await enqueueAll(
    tx,
    work.map((one) => workOf(context, one)),
  );
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
 * Enqueues the standing of each partner whose figure, status or group these events may have changed, where the
 * programme has steps or bonuses, or has paid them one.
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
      WHERE told.participant_id IS NOT NULL
        AND (EXISTS (SELECT 1 FROM program_tiers AS t
                      WHERE t.program_id = told.program_id AND t.steps <> '[]')
          OR EXISTS (SELECT 1 FROM program_bonuses AS b
                      WHERE b.program_id = told.program_id AND b.bonuses <> '[]')
          OR EXISTS (SELECT 1 FROM earned_bonuses AS n
                      WHERE n.participant_id = told.participant_id))`,
    }),
    [eventIds, now],
  );
}
