import { AppError } from '../../entities/errors';
import { selectList } from '../../entities/database/columns';
import { applicationsOf } from '../../entities/rules/programs/groups';
import type { ApprovalMode } from '../../entities/rules/programs/terms';
import type { Mode, Scope } from '../../entities/rules/values/mode';
import { queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { Participant } from '../../entities/tables/partners/participant.entity';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { isOpenTo } from '../../entities/rules/accounts/addresses';
import { lockAddressOf, sandboxOf } from '../accounts/addresses';
import type { Cause } from '../journal/cause';
import { record } from '../journal/record';
import { earlierOfComer, isBound } from './comers';
import {
  createParticipant,
  getPresentPartner,
  participantEvent,
  type NewParticipant,
} from './participants';
import { joinGroup, type Joining } from './membership';
import { refuseErasedCode } from './referral-tokens';
import { findGroup, isDefaultGroup } from '../programs/group-rows';
import { holdProgramOpen } from '../programs/programs';
import type { Vault } from '../../runtime/crypto/vault';

export interface ApplyToProgram {
  programId: string;
  mode: Mode;
  partnerId: string;
  message?: string | null | undefined;
  referralCode?: string | null | undefined;
  /** Which group is applied for; absent: the default one. */
  groupId?: string | null | undefined;
}

/**
 * A partner asks to take part; a programme of approval mode auto takes it at once, unless something is
 * open of the address from before its account was erased. Returns the participant's id. PROGRAM_NOT_FOUND (the other mode's too), PROGRAM_ARCHIVED, APPLICATIONS_CLOSED,
 * PARTICIPANT_ERASED, APPLICATION_DUPLICATE whatever became of the first, REFERRAL_CODE_TAKEN.
 */
export async function applyToProgram(
  { db, vault }: { db: Db; vault: Pick<Vault, 'contactHash'> },
  cause: Cause,
  command: ApplyToProgram,
): Promise<string> {
  const { programId, partnerId, message = null, referralCode } = command;
  return transaction(db, async (tx) => {
    const context = { ...cause, scope: await scopeOfProgram(tx, command) };
    await lockAddressOf(tx, partnerId);
    const program = await holdProgramOpen(tx, programId, context.scope);
    const { group, approvalMode } = await openGroup(tx, program, command.groupId ?? programId);

    const partner = await getPresentPartner(tx, partnerId);
    if (await isBound(tx, { programId, partner })) throw new AppError('APPLICATION_DUPLICATE');
    const earlier = await earlierOfComer({ tx, vault }, { programId, partner });
    if (referralCode) await refuseErasedCode({ db: tx, vault }, context, referralCode);
    const isApproved = approvalMode === 'auto' && !earlier;
    const status = isApproved ? 'approved' : 'pending';
    const joining = { groupId: group.id, source: 'application', actor: context.actor } as const;
    const told = { status, earlier, message, referralCode } as const;
    const applicant = { programId, partner, ...told, joining };
    const created = await createParticipant(tx, context, applicant);
    const id = created?.id ?? (await comeBack(tx, context, applicant));
    if (id === undefined) throw await duplicateRefusal(tx, { programId, partnerId });

    const change = { participantId: id, cause: 'apply' } as const;
    const events = [await participantEvent(tx, { ...change, type: 'participant.applied' })];
    if (isApproved) {
      events.push(await participantEvent(tx, { ...change, type: 'participant.approved' }));
    }
    const target = { type: 'participant', id };
    await record(tx, context, { audit: { action: 'participant.applied', target }, events });
    return id;
  });
}

/** The group that is applied for, and how that is decided. APPLICATIONS_CLOSED, for an unknown one too. */
async function openGroup(
  tx: Tx,
  program: Program,
  groupId: string,
): Promise<{ group: ProgramGroup; approvalMode: ApprovalMode }> {
  const group = await findGroup(tx, program, groupId);
  if (!group) throw new AppError('APPLICATIONS_CLOSED');
  const isDefault = isDefaultGroup(group);
  const { isOpen, approvalMode } = applicationsOf(program, { ...group, isDefault });
  if (!isOpen) throw new AppError('APPLICATIONS_CLOSED');
  return { group, approvalMode };
}

/** Who has left applies anew under the same codes. Undefined for anybody else who is in already. */
async function comeBack(
  tx: Tx,
  { scope, now }: { scope: Scope; now: Date },
  applicant: NewParticipant & { joining: Joining },
): Promise<string | undefined> {
  const { programId, partner, status, message = null, earlier = null, joining } = applicant;
  const back = await queryOne<Participant>(
    tx,
    `UPDATE participants AS p
        SET status = $5, status_reason = NULL, message = $6, updated_at = $7,
            earlier = coalesce($8::jsonb, earlier),
            approved_at = CASE WHEN $5 = 'approved' THEN $7 ELSE approved_at END
      WHERE workspace_id = $1 AND mode = $2 AND program_id = $3 AND partner_id = $4
        AND status = 'left' AND erased_at IS NULL
      RETURNING ${selectList(Participant, 'p')}`,
    [
      ...[scope.workspaceId, scope.mode, programId, partner.id, status, message, now],
      earlier && JSON.stringify(earlier),
    ],
  );
  if (!back) return undefined;
  await joinGroup(tx, { now }, { member: back, joining });
  return back.id;
}

async function scopeOfProgram(
  tx: Tx,
  { programId, mode, partnerId }: ApplyToProgram,
): Promise<Scope> {
  const scope = await queryOne<Scope>(
    tx,
    'SELECT workspace_id AS "workspaceId", mode FROM programs WHERE id = $1 AND mode = $2',
    [programId, mode],
  );
  if (!scope || !isOpenTo(await sandboxOf(tx, partnerId), scope)) {
    throw new AppError('PROGRAM_NOT_FOUND');
  }
  return scope;
}

async function duplicateRefusal(
  tx: Tx,
  key: { programId: string; partnerId: string },
): Promise<AppError> {
  const existing = await queryOne<{ erased: boolean }>(
    tx,
    `SELECT erased_at IS NOT NULL AS erased FROM participants
      WHERE program_id = $1 AND partner_id = $2`,
    [key.programId, key.partnerId],
  );
  return new AppError(existing?.erased ? 'PARTICIPANT_ERASED' : 'APPLICATION_DUPLICATE');
}
