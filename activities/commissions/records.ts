import { selectList, type Selected, type Selection } from '../../entities/database/columns';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import { Participant } from '../../entities/tables/partners/participant.entity';
import { Program } from '../../entities/tables/programs/program.entity';
import type { Scope } from '../../entities/rules/values/mode';
import { prepared, queryOne, type Db, type Tx } from '../../entities/database/sql';
import type { ParticipantState } from './commission-change';

const ofProgram = { programName: 'name' } as const satisfies Selection<Program>;
const ofParticipant = {
  partnerName: 'partnerName',
  participantStatus: 'status',
} as const satisfies Selection<Participant>;

/** A commission with the names that its record shows and the state of its partner. */
export interface CommissionRecord
  extends
    Commission,
    ParticipantState,
    Selected<Program, typeof ofProgram>,
    Selected<Participant, typeof ofParticipant> {}

export const recordColumns = `${selectList(Commission, 'c')},
  ${selectList(Program, 'g', ofProgram)}, ${selectList(Participant, 'p', ofParticipant)},
  p.erased_at IS NOT NULL AS "participantErased"`;

export const recordJoins = `JOIN participants AS p ON p.id = c.participant_id
  JOIN programs AS g ON g.id = c.program_id`;

export interface CommissionKey {
  scope: Scope;
  /** Narrows to one programme; any of the scope without it. */
  programId?: string | undefined;
  commissionIds: readonly string[];
}

/** Whether a payout that is being processed has it. */
export function isInPayout({ status, payoutId }: CommissionRecord): boolean {
  return status === 'approved' && payoutId !== null;
}

const byKey = `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
  WHERE c.id = ANY($1) AND c.workspace_id = $2 AND c.mode = $3
    AND ($4::uuid IS NULL OR c.program_id = $4) ORDER BY c.id`;

/** The records that exist, sorted by id. */
export function findCommissions(db: Db, key: CommissionKey): Promise<CommissionRecord[]> {
  return prepared(db, { name: 'find_commissions', text: byKey, values: keyParams(key) });
}

// The sub-select hides the number of ids from the planner, which would otherwise plan each call again; LIMIT
// keeps it at an index look-up, also when it plans while the table is small.
const byId = `SELECT ${recordColumns} FROM unnest((SELECT $1::uuid[])) AS k (id)
  JOIN LATERAL (SELECT * FROM commissions WHERE id = k.id LIMIT 1) AS c ON true ${recordJoins}`;

/** Records of any workspace and mode: the caller compares each with what was asked for. */
export function findCommissionsById(db: Db, ids: readonly string[]): Promise<CommissionRecord[]> {
  return prepared(db, { name: 'find_commissions_by_id', text: byId, values: [ids] });
}

/** The same under row locks. It waits for none: while another transaction has one, it fails. */
export function lockCommissions(tx: Tx, key: CommissionKey): Promise<CommissionRecord[]> {
  return prepared(tx, {
    name: 'lock_commissions',
    text: `${byKey} FOR UPDATE OF c NOWAIT`,
    values: keyParams(key),
  });
}

function keyParams(key: CommissionKey): unknown[] {
  const { scope, programId, commissionIds } = key;
  return [commissionIds, scope.workspaceId, scope.mode, programId ?? null];
}

/** Locks a commission for work that the system does by itself, knowing an id and no scope. */
export function lockCommission(
  tx: Tx,
  commissionId: string,
): Promise<CommissionRecord | undefined> {
  return queryOne<CommissionRecord>(tx, lockById, [commissionId]);
}

/** The same; undefined, too, while another transaction holds it. */
export function lockFreeCommission(
  tx: Tx,
  commissionId: string,
): Promise<CommissionRecord | undefined> {
  return queryOne<CommissionRecord>(tx, `${lockById} SKIP LOCKED`, [commissionId]);
}

const lockById = `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
  WHERE c.id = $1 FOR UPDATE OF c`;

/** The commission as a change leaves it, with the names of its record. */
export function withCommission(record: CommissionRecord, commission: Commission): CommissionRecord {
  return { ...record, ...commission };
}
