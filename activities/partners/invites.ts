import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import type { Mode } from '../../entities/rules/values/mode';
import { inviteExpiry, isInviteOpen } from '../../entities/rules/partners/invite';
import { execute, queryOne, transaction, type Tx } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import type { Cause } from '../journal/cause';
import { isMailToken, mailTokenId } from '../runtime/crypto/mail-tokens';
import { queueMail } from '../journal/mail-queue';
import { moveParticipant } from './participant-decisions';
import {
  createParticipant,
  getParticipantOfPartner,
  getPresentPartner,
  recordParticipantEvent,
} from './participants';
import { holdProgramOpen } from '../programs/programs';
import type { Vault } from '../runtime/crypto/vault';

const inviteColumns = `id, workspace_id AS "workspaceId", mode, program_id AS "programId", email, name,
  generation, status, accepted_by AS "acceptedBy", accepted_at AS "acceptedAt",
  expires_at AS "expiresAt", created_at AS "createdAt"`;

/**
 * Invites an address into a programme and sends the mail. A second invite to an open one's address
 * is its next generation: the link of the earlier dies. PROGRAM_ARCHIVED.
 */
export async function invitePartner(
  db: Db,
  command: { programId: string; email: string; name?: string | null | undefined } & Cause,
): Promise<PartnerInvite> {
  return transaction(db, async (tx) => {
    const program = await holdProgramOpen(tx, command.programId);
    const invite = await queryOne<PartnerInvite>(
      tx,
      `INSERT INTO partner_invites (id, workspace_id, mode, program_id, email, name, status,
              expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8)
       ON CONFLICT (program_id, email) WHERE status = 'pending' DO UPDATE
         SET generation = partner_invites.generation + 1, expires_at = excluded.expires_at,
             name = coalesce(excluded.name, partner_invites.name)
       RETURNING ${inviteColumns}`,
      [
        newId(),
        program.workspaceId,
        program.mode,
        program.id,
        command.email,
        command.name ?? null,
        inviteExpiry(command.now),
        command.now,
      ],
    );
    if (!invite) throw new Error('an upsert gives its row');
    await sendInvite(tx, program, { ...command, invite, action: 'partner_invite.created' });
    return invite;
  });
}

/**
 * The next generation of an open or expired invite, with a new mail. NOT_FOUND, INVITE_EXPIRED when
 * it was spent, PROGRAM_ARCHIVED.
 */
export async function resendInvite(
  db: Db,
  command: { programId: string; inviteId: string } & Cause,
): Promise<void> {
  await transaction(db, async (tx) => {
    const program = await holdProgramOpen(tx, command.programId);
    const invite = await queryOne<PartnerInvite>(
      tx,
      `UPDATE partner_invites SET generation = generation + 1, expires_at = $3
        WHERE id = $1 AND program_id = $2 AND status = 'pending'
        RETURNING ${inviteColumns}`,
      [command.inviteId, program.id, inviteExpiry(command.now)],
    );
    if (!invite) throw await resendRefusal(tx, command);
    await sendInvite(tx, program, { ...command, invite, action: 'partner_invite.resent' });
  });
}

async function resendRefusal(
  tx: Tx,
  { programId, inviteId }: { programId: string; inviteId: string },
): Promise<AppError> {
  const spent = await tx.existsBy(PartnerInvite, { id: inviteId, programId, status: 'accepted' });
  return new AppError(spent ? 'INVITE_EXPIRED' : 'NOT_FOUND');
}

/**
 * Withdraws an invite: its link is dead, and it leaves the list; who joined stays. NOT_FOUND,
 * PROGRAM_ARCHIVED.
 */
export async function deleteInvite(
  db: Db,
  command: { programId: string; inviteId: string } & Cause,
): Promise<void> {
  await transaction(db, async (tx) => {
    const program = await holdProgramOpen(tx, command.programId);
    const invite = await queryOne<PartnerInvite>(
      tx,
      `UPDATE partner_invites SET status = 'deleted'
        WHERE id = $1 AND program_id = $2 AND status IN ('pending', 'accepted')
        RETURNING ${inviteColumns}`,
      [command.inviteId, program.id],
    );
    if (!invite) throw new AppError('NOT_FOUND');
    await auditInvite(tx, invite, { ...command, action: 'partner_invite.deleted' });
  });
}

export interface AcceptInvite extends Cause {
  token: string;
  partnerId: string;
  mode: Mode;
}

export interface AcceptedInvite {
  participantId: string;
  programId: string;
  /** False when the partner was in the programme before. */
  isNew: boolean;
}

/**
 * Takes up an invite. The token is the credential, whatever account holds it; the first account
 * spends it, and for that one a repeat is no error. Approves a pending or rejected participant in
 * place. INVITE_EXPIRED, PROGRAM_ARCHIVED, PARTICIPANT_ERASED, PARTICIPANT_INVALID_TRANSITION.
 */
export async function acceptInvite(
  db: Db,
  vault: Pick<Vault, 'derive'>,
  command: AcceptInvite,
): Promise<AcceptedInvite> {
  return transaction(db, async (tx) => {
    const invite = await lockInvite(tx, vault, command);
    const program = await holdProgramOpen(tx, invite.programId);
    const joined = await joinProgram(tx, program, command);
    await execute(
      tx,
      `UPDATE partner_invites SET status = 'accepted', accepted_by = $2, accepted_at = $3
        WHERE id = $1 AND status = 'pending'`,
      [invite.id, command.partnerId, command.now],
    );
    if (invite.status === 'pending') {
      await auditInvite(tx, invite, { ...command, action: 'partner_invite.accepted' });
    }
    return { ...joined, programId: program.id };
  });
}

/** The invite that this token opens for this account now, under lock; else INVITE_EXPIRED. */
async function lockInvite(
  tx: Tx,
  vault: Pick<Vault, 'derive'>,
  command: AcceptInvite,
): Promise<PartnerInvite> {
  const id = mailTokenId(command.token);
  if (!id) throw new AppError('INVITE_EXPIRED');
  const invite = await tx.findOne(PartnerInvite, {
    where: { id, mode: command.mode },
    lock: { mode: 'pessimistic_write' },
  });
  if (!invite) throw new AppError('INVITE_EXPIRED');

  const isToken = isMailToken(vault, command.token, { purpose: 'partner_invite', ...invite });
  const isRepeat = invite.status === 'accepted' && invite.acceptedBy === command.partnerId;
  if (!isToken || !(isRepeat || isInviteOpen(invite, command.now))) {
    throw new AppError('INVITE_EXPIRED');
  }
  return invite;
}

/** Makes the partner an approved participant, whether it was in the programme or not. */
async function joinProgram(
  tx: Tx,
  program: Program,
  { partnerId, now }: AcceptInvite,
): Promise<{ participantId: string; isNew: boolean }> {
  const partner = await getPresentPartner(tx, partnerId);
  const created = await createParticipant(tx, { program, partner, status: 'approved' }, now);
  if (created) {
    const change = { participantId: created.id, cause: 'accept', now } as const;
    await recordParticipantEvent(tx, 'participant.approved', change);
    return { participantId: created.id, isNew: true };
  }

  const participant = await getParticipantOfPartner(tx, { programId: program.id, partnerId });
  await approveInPlace(tx, participant, now);
  return { participantId: participant.id, isNew: false };
}

async function approveInPlace(tx: Tx, participant: Participant, now: Date): Promise<void> {
  if (participant.status === 'approved' && !participant.erasedAt) return;
  await moveParticipant(tx, participant, { trigger: 'accept', now });
  const change = { participantId: participant.id, cause: 'accept', now } as const;
  await recordParticipantEvent(tx, 'participant.approved', change);
}

async function sendInvite(
  tx: Tx,
  program: Program,
  { invite, ...cause }: { invite: PartnerInvite; action: string } & Cause,
): Promise<void> {
  const workspace = await queryOne<{ name: string }>(
    tx,
    'SELECT name FROM workspaces WHERE id = $1',
    [program.workspaceId],
  );
  await queueMail(tx, {
    type: 'partner.invited',
    to: { side: 'partner', address: invite.email },
    scope: program,
    params: {
      inviteId: invite.id,
      generation: invite.generation,
      programId: program.id,
      programName: program.name,
      workspaceName: workspace?.name ?? null,
      name: invite.name,
    },
    at: cause.now,
  });
  await auditInvite(tx, invite, cause);
}

async function auditInvite(
  tx: Tx,
  invite: PartnerInvite,
  { action, actor, requestId, now }: { action: string } & Cause,
): Promise<void> {
  await recordAudit(tx, {
    workspaceId: invite.workspaceId,
    actor,
    action,
    target: { type: 'partner_invite', id: invite.id },
    requestId,
    at: now,
  });
}
