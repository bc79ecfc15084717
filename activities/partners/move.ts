import { boundedTransaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError, type ErrorCode } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { saleTermsOf } from '../../entities/rules/commissions/sale-terms';
import type { GroupSource } from '../../entities/rules/programs/groups';
import { holdWords, termsWords } from '../../entities/rules/programs/words';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { retryWhileLocked } from '../../runtime/load/retry';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import type { Notice } from '../notifications/notice';
import { notify } from '../notifications/notify';
import { groupOf } from '../programs/group-rows';
import { holdProgram, requireOpen } from '../programs/programs';
import { joinGroup } from './membership';
import { lockPresentParticipant, participantEvent } from './participants';

export interface MovePartners {
  programId: string;
  /** Each once. */
  participantIds: readonly string[];
  groupId: string;
  /** A member reads it in the history. */
  reason?: string | null | undefined;
}

export interface MoveResult {
  participantId: string;
  status?: Participant['status'];
  code?: ErrorCode;
}

/**
 * Moves a partner of any status to a group; what they have earned stays as it is. Where they are there
 * nothing happens. PARTICIPANT_NOT_FOUND, GROUP_NOT_FOUND, PROGRAM_ARCHIVED, PARTICIPANT_ERASED.
 */
export async function movePartner(
  db: Db,
  context: CommandContext,
  { participantId, ...move }: Omit<MovePartners, 'participantIds'> & { participantId: string },
): Promise<void> {
  const [result] = await movePartners(db, context, { ...move, participantIds: [participantId] });
  if (result?.code) throw new AppError(result.code);
}

/** The same for many, each by itself, in one transaction; refused as a whole where the group is. */
export async function movePartners(
  db: Db,
  context: CommandContext,
  { programId, participantIds, groupId, reason }: MovePartners,
): Promise<MoveResult[]> {
  const move = async (tx: Tx): Promise<MoveResult[]> => {
    const program = await holdProgram(tx, programId, context.scope);
    const group = await groupOf(tx, program, groupId);
    requireOpen(program);
    const outcomes = new Map<string, Outcome>();
    const into = { program, group, source: 'hand', reason } as const;
    // Partners are moved in one order, so that two who move the same ones wait for each other and never deadlock.
    for (const participantId of participantIds.toSorted()) {
      outcomes.set(participantId, await tryMove(tx, context, { ...into, participantId }));
    }
    const notices = [...outcomes.values()].flatMap(({ notice }) => notice ?? []);
    await notify(tx, context, notices);
    return participantIds.map((participantId) => {
      const { result = { code: 'PARTICIPANT_NOT_FOUND' as const } } =
        outcomes.get(participantId) ?? {};
      return { participantId, ...result };
    });
  };
  // Many may move one partner at once, each after the one before.
  return retryWhileLocked(db, () => boundedTransaction(db, move));
}

interface Outcome {
  result: Omit<MoveResult, 'participantId'>;
  notice: Notice | null;
}

interface Move {
  program: Program;
  group: ProgramGroup;
  participantId: string;
  source: GroupSource;
  reason?: string | null | undefined;
}

async function tryMove(tx: Tx, context: CommandContext, move: Move): Promise<Outcome> {
  try {
    const key = { programId: move.program.id, participantId: move.participantId };
    const participant = await lockPresentParticipant(tx, context, key);
    const notice = await moveMember(tx, context, { ...move, participant });
    return { result: { status: participant.status }, notice };
  } catch (error) {
    // Nothing of this one is written yet.
    if (!(error instanceof AppError)) throw error;
    return { result: { code: error.code }, notice: null };
  }
}

/**
 * Writes the move of a participant whose row the transaction holds, with audit and event; gives the
 * notice that the caller writes with all others. Null where they are in the group.
 */
export async function moveMember(
  tx: Tx,
  context: CommandContext,
  { program, group, participant, source, reason }: Move & { participant: Participant },
): Promise<Notice | null> {
  const fromGroupId = participant.groupId ?? program.id;
  if (fromGroupId === group.id) return null;
  const { id: participantId } = participant;
  const joining = { groupId: group.id, source, actor: context.actor, reason };
  await joinGroup(tx, context, { member: participant, joining });
  const moved = { participantId, type: 'participant.moved', cause: 'move', fromGroupId } as const;
  await record(tx, context, {
    audit: { action: 'participant.moved', target: { type: 'participant', id: participantId } },
    events: [await participantEvent(tx, moved)],
  });
  return noticeOf(context, { program, group, participant });
}

function noticeOf(
  { now }: CommandContext,
  { program, group, participant }: Pick<Move, 'program' | 'group'> & { participant: Participant },
): Notice | null {
  const { id: participantId, partnerId, status, claimedAt } = participant;
  // Who was only added by a server has no feed to read yet.
  if (claimedAt === null) return null;
  const { workspaceId, mode, id: programId, currency } = program;
  const commission = group.commission ?? saleTermsOf(program).terms;
  return {
    side: 'partner',
    type: 'participant.moved',
    feedId: partnerId,
    ...{ causeId: newId(), workspaceId, mode, participantId },
    data: { participantId, programId },
    facts: {
      programName: program.name,
      name: group.name,
      since: now.toISOString(),
      terms: [termsWords(commission, currency), holdWords(group.holdDays ?? program.holdDays)],
    },
    ...(status === 'approved' ? {} : { isMailed: false }),
  };
}
