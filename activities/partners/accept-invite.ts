import { findOne } from '../../entities/database/find';
import { AppError } from '../../entities/errors';
import type { Mode } from '../../entities/rules/values/mode';
import { inviteMoves, isInviteOpen } from '../../entities/rules/partners/invite';
import { movingSql } from '../../entities/database/moving';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import { execute, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { Cause, CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { isMailToken, mailTokenId } from '../../runtime/crypto/mail-tokens';
import type { Vault } from '../../runtime/crypto/vault';
import { holdProgramOpen } from '../programs/programs';
import { recordInvite } from './invites';
import { moveParticipant } from './participant-decisions';
import {
  createParticipant,
  getParticipantOfPartner,
  getPresentPartner,
  participantEvent,
} from './participants';

export interface AcceptPartnerInvite {
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
export async function acceptPartnerInvite(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive'> },
  cause: Cause,
  command: AcceptPartnerInvite,
): Promise<AcceptedInvite> {
  const { partnerId } = command;
  return transaction(db, async (tx) => {
    const invite = await lockInvite({ db: tx, vault }, cause, command);
    const { workspaceId, mode, programId } = invite;
    const context = { ...cause, scope: { workspaceId, mode } };
    await holdProgramOpen(tx, programId, context.scope);
    const joined = await joinProgram(tx, context, { programId, partnerId });
    const isSpent = await spendInvite(tx, context, { inviteId: invite.id, partnerId });
    if (isSpent) await recordInvite(tx, context, { action: 'partner_invite.accepted', invite });
    return { ...joined, programId };
  });
}

/** The invite that this token opens for this account now, under lock; else INVITE_EXPIRED. */
async function lockInvite(
  { db: tx, vault }: { db: Tx; vault: Pick<Vault, 'derive'> },
  { now }: Cause,
  { token, partnerId, mode }: AcceptPartnerInvite,
): Promise<PartnerInvite> {
  const id = mailTokenId(token);
  if (!id) throw new AppError('INVITE_EXPIRED');
  const invite = await findOne(tx, PartnerInvite, { where: { id, mode }, lock: 'UPDATE' });
  if (!invite) throw new AppError('INVITE_EXPIRED');

  const isToken = isMailToken(vault, token, { purpose: 'partner_invite', ...invite });
  const isRepeat = invite.status === 'accepted' && invite.acceptedBy === partnerId;
  if (!isToken || !(isRepeat || isInviteOpen(invite, now))) throw new AppError('INVITE_EXPIRED');
  return invite;
}

const accepting = movingSql(inviteMoves, { trigger: 'accept', to: 'accepted', of: 'i' });

/** False when the account spent it before. */
async function spendInvite(
  tx: Tx,
  { scope, now }: CommandContext,
  { inviteId, partnerId }: { inviteId: string; partnerId: string },
): Promise<boolean> {
  const spent = await execute(
    tx,
    `UPDATE partner_invites AS i SET ${accepting.set}, accepted_by = $4, accepted_at = $5
      WHERE id = $1 AND workspace_id = $2 AND mode = $3 AND ${accepting.where}`,
    [inviteId, scope.workspaceId, scope.mode, partnerId, now],
  );
  return spent === 1;
}

/** Makes the partner an approved participant, whether it was in the programme or not. */
async function joinProgram(
  tx: Tx,
  context: CommandContext,
  { programId, partnerId }: { programId: string; partnerId: string },
): Promise<{ participantId: string; isNew: boolean }> {
  const partner = await getPresentPartner(tx, partnerId);
  const newcomer = { programId, partner, status: 'approved' } as const;
  const created = await createParticipant(tx, context, newcomer);
  if (created) {
    await recordApproval(tx, context, created.id);
    return { participantId: created.id, isNew: true };
  }
  const participant = await getParticipantOfPartner(tx, { programId, partnerId });
  await approveInPlace(tx, context, participant);
  return { participantId: participant.id, isNew: false };
}

async function approveInPlace(
  tx: Tx,
  context: CommandContext,
  participant: Participant,
): Promise<void> {
  if (participant.status === 'approved' && !participant.erasedAt) return;
  await moveParticipant(tx, participant, { trigger: 'accept', now: context.now });
  await recordApproval(tx, context, participant.id);
}

async function recordApproval(
  tx: Tx,
  context: CommandContext,
  participantId: string,
): Promise<void> {
  const approval = { participantId, type: 'participant.approved', cause: 'accept' } as const;
  await record(tx, context, { events: [await participantEvent(tx, approval)] });
}
