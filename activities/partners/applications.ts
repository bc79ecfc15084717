import { AppError } from '../../entities/errors';
import type { Mode } from '../../entities/rules/values/mode';
import { queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import type { Cause } from '../journal/cause';
import { createParticipant, getPresentPartner, recordParticipantEvent } from './participants';
import { refuseErasedCode } from './referral-tokens';
import { holdProgramOpen } from '../programs/programs';
import type { Vault } from '../runtime/crypto/vault';

export interface Application extends Cause {
  programId: string;
  mode: Mode;
  partnerId: string;
  message?: string | null | undefined;
  referralCode?: string | null | undefined;
}

/**
 * A partner asks to take part; a programme of approval mode auto takes it at once. Returns the
 * participant's id. PROGRAM_NOT_FOUND (the other mode's too), PROGRAM_ARCHIVED, APPLICATIONS_CLOSED,
 * PARTICIPANT_ERASED, APPLICATION_DUPLICATE whatever became of the first, REFERRAL_CODE_TAKEN.
 */
export async function applyToProgram(
  db: Db,
  vault: Pick<Vault, 'contactHash'>,
  application: Application,
): Promise<string> {
  const { programId, partnerId, now } = application;
  return transaction(db, async (tx) => {
    await requireMode(tx, application);
    const program = await holdProgramOpen(tx, programId);
    if (!program.publicApplications) throw new AppError('APPLICATIONS_CLOSED');

    const partner = await getPresentPartner(tx, partnerId);
    const code = application.referralCode;
    if (code) await refuseErasedCode(tx, vault, { scope: program, code });
    const isApproved = program.approvalMode === 'auto';
    const participant = await createParticipant(
      tx,
      {
        program,
        partner,
        status: isApproved ? 'approved' : 'pending',
        message: application.message ?? null,
        referralCode: application.referralCode,
      },
      now,
    );
    if (!participant) throw await duplicateRefusal(tx, { programId, partnerId });

    const change = { participantId: participant.id, cause: 'apply', now } as const;
    await recordParticipantEvent(tx, 'participant.applied', change);
    if (isApproved) await recordParticipantEvent(tx, 'participant.approved', change);
    await recordAudit(tx, {
      workspaceId: program.workspaceId,
      actor: application.actor,
      action: 'participant.applied',
      target: { type: 'participant', id: participant.id },
      requestId: application.requestId,
      at: now,
    });
    return participant.id;
  });
}

async function requireMode(tx: Tx, { programId, mode }: Application): Promise<void> {
  const found = await queryOne(tx, 'SELECT 1 FROM programs WHERE id = $1 AND mode = $2', [
    programId,
    mode,
  ]);
  if (!found) throw new AppError('PROGRAM_NOT_FOUND');
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
