import { PromoCode } from '../../entities/tables/partners/promo-code.entity';
import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import type { CodeDiscount } from '../../entities/rules/billing/codes';
import { newId } from '../../entities/ids';
import { promoCodeKey } from '../../entities/rules/partners/referral-code';
import { queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import {
  askForBillerCodes,
  askToSwitchOff,
  switchOffCodesOf,
  type DiscountedCode,
} from './biller-codes';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import { record } from '../journal/record';
import { lockPresentParticipant, type ParticipantKey } from './participants';
import { holdProgram, holdProgramOpen, requireOpen } from '../programs/programs';
import { refuseErasedCode, setReferralCode } from './referral-tokens';
import type { Vault } from '../../runtime/crypto/vault';

export interface CodeCommand extends ParticipantKey {
  code: string;
}

export interface PromoCodeCommand extends CodeCommand {
  /** Has the code made at the billers that are connected. */
  discount?: CodeDiscount | undefined;
}

/**
 * Gives a promo code to a participant. PROMO_CODE_TAKEN when it is in use in the workspace and mode,
 * by this participant too; PROGRAM_ARCHIVED, PARTICIPANT_ERASED.
 */
export async function addPromoCode(
  db: Db,
  context: CommandContext,
  command: PromoCodeCommand,
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdProgramOpen(tx, command.programId, context.scope);
    const participant = await lockPresentParticipant(tx, context, command);
    const { workspaceId, mode, programId, id: participantId } = participant;
    const code = promoCodeKey(command.code);
    const { discount = null } = command;
    const row = { id: newId(), workspaceId, mode, programId, participantId, code };
    const added = await insertAll(tx, {
      into: PromoCode,
      rows: [{ ...row, discount, createdAt: context.now }],
      onConflict: 'ON CONFLICT ON CONSTRAINT uq_promo_code DO NOTHING',
    });
    if (added === 0) throw new AppError('PROMO_CODE_TAKEN');
    if (discount) await askFor(tx, context, { participant, code: { ...row, discount } });
    await auditCode(tx, context, { participantId: participant.id, action: 'promo_code.created' });
  });
}

/**
 * Takes a promo code away; from then on it is free again. PARTICIPANT_ERASED, NOT_FOUND,
 * PROGRAM_ARCHIVED.
 */
export async function removePromoCode(
  db: Db,
  context: CommandContext,
  command: CodeCommand,
): Promise<void> {
  await transaction(db, async (tx) => {
    const program = await holdProgram(tx, command.programId, context.scope);
    const participant = await lockPresentParticipant(tx, context, command);
    const removed = await queryOne<{ id: string }>(
      tx,
      'DELETE FROM promo_codes WHERE participant_id = $1 AND code = $2 RETURNING id',
      [participant.id, promoCodeKey(command.code)],
    );
    if (!removed) throw new AppError('NOT_FOUND');
    requireOpen(program);
    await askToSwitchOff(tx, context, removed.id);
    await auditCode(tx, context, { participantId: participant.id, action: 'promo_code.deleted' });
  });
}

/**
 * Has a code made at billers that were connected since, and what failed there tried again. PARTICIPANT_ERASED,
 * NOT_FOUND, PROGRAM_ARCHIVED.
 */
export async function syncPromoCode(
  db: Db,
  context: CommandContext,
  command: CodeCommand,
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdProgramOpen(tx, command.programId, context.scope);
    const participant = await lockPresentParticipant(tx, context, command);
    const { workspaceId, mode, programId, id: participantId } = participant;
    const code = promoCodeKey(command.code);
    const row = await queryOne<{ id: string; discount: CodeDiscount | null }>(
      tx,
      'SELECT id, discount FROM promo_codes WHERE participant_id = $1 AND code = $2',
      [participantId, code],
    );
    if (!row) throw new AppError('NOT_FOUND');
    const owner = { workspaceId, mode, programId, participantId, code };
    const { id, discount } = row;
    if (discount) await askFor(tx, context, { participant, code: { id, ...owner, discount } });
    await auditCode(tx, context, { participantId, action: 'promo_code.synced' });
  });
}

/** The code of a partner who may not sell is made when they may again. */
async function askFor(
  tx: Tx,
  context: CommandContext,
  { participant: { id, status }, code }: { participant: Participant; code: DiscountedCode },
): Promise<void> {
  await askForBillerCodes(tx, context, code);
  const mayNot = status === 'suspended' || status === 'rejected';
  if (mayNot) await switchOffCodesOf(tx, context, [id]);
}

/** Sets the referral code. REFERRAL_CODE_TAKEN, PROGRAM_ARCHIVED, PARTICIPANT_ERASED. */
export async function changeReferralCode(
  { db, vault }: { db: Db; vault: Pick<Vault, 'contactHash'> },
  context: CommandContext,
  command: CodeCommand,
): Promise<void> {
  await transaction(db, async (tx) => {
    await holdProgramOpen(tx, command.programId, context.scope);
    const participant = await lockPresentParticipant(tx, context, command);
    const owner = { ...participant, participantId: participant.id };
    await refuseErasedCode({ db: tx, vault }, context, command.code);
    await setReferralCode(tx, owner, { code: command.code, now: context.now });
    await auditCode(tx, context, {
      participantId: participant.id,
      action: 'participant.referral_code_changed',
    });
  });
}

async function auditCode(
  tx: Tx,
  context: CommandContext,
  { participantId, action }: { participantId: string; action: string },
): Promise<void> {
  await record(tx, context, {
    audit: { action, target: { type: 'participant', id: participantId } },
  });
}
