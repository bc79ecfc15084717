import { findOne } from '../../entities/database/find';
import { AppError } from '../../entities/errors';
import type { Mode } from '../../entities/rules/values/mode';
import { inviteMoves, isInviteOpen } from '../../entities/rules/partners/invite';
import { movingSql } from '../../entities/database/moving';
import { update } from '../../entities/database/update';
import { isOpenTo } from '../../entities/rules/accounts/addresses';
import type { Earlier } from '../../entities/rules/partners/earlier';
import { Participant } from '../../entities/tables/partners/participant.entity';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import { execute, transaction, type Db, type Tx } from '../../entities/database/sql';
import { lockAddressOf, sandboxOf } from '../accounts/addresses';
import type { Cause, CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { isMailToken, mailTokenId } from '../../runtime/crypto/mail-tokens';
import type { Vault } from '../../runtime/crypto/vault';
import { holdProgramOpen } from '../programs/programs';
import { earlierOfComer, isBound } from './comers';
import { joinGroup } from './membership';
import { recordInvite } from './invites';
import { moveParticipant } from './participant-decisions';
import {
  createParticipant,
  getParticipantOfPartner,
  getPresentPartner,
  participantEvent,
} from './participants';

type Keys = Pick<Vault, 'derive' | 'contactHash'>;

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
 * place, unless something is open of the address from before its account was erased. INVITE_EXPIRED, PROGRAM_ARCHIVED, PARTICIPANT_ERASED, PARTICIPANT_INVALID_TRANSITION.
 */
export async function acceptPartnerInvite(
  { db, vault }: { db: Db; vault: Keys },
  cause: Cause,
  command: AcceptPartnerInvite,
): Promise<AcceptedInvite> {
  const { partnerId } = command;
  return transaction(db, async (tx) => {
    await lockAddressOf(tx, partnerId);
    const invite = await lockInvite({ db: tx, vault }, cause, command);
    const { workspaceId, mode, programId } = invite;
    const context = { ...cause, scope: { workspaceId, mode } };
    await holdProgramOpen(tx, programId, context.scope);
    const groupId = invite.groupId ?? programId;
    const joined = await joinProgram({ tx, vault }, context, { programId, partnerId, groupId });
    const isSpent = await spendInvite(tx, context, { inviteId: invite.id, partnerId });
    if (isSpent) await recordInvite(tx, context, { action: 'partner_invite.accepted', invite });
    return { ...joined, programId };
  });
}

/** The invite that this token opens for this account now, under lock; else INVITE_EXPIRED. */
async function lockInvite(
  { db: tx, vault }: { db: Tx; vault: Keys },
  { now }: Cause,
  { token, partnerId, mode }: AcceptPartnerInvite,
): Promise<PartnerInvite> {
  const id = mailTokenId(token);
  if (!id) throw new AppError('INVITE_EXPIRED');
  const invite = await findOne(tx, PartnerInvite, { where: { id, mode }, lock: 'UPDATE' });
  if (!invite) throw new AppError('INVITE_EXPIRED');

  const isToken = isMailToken(vault, token, { purpose: 'partner_invite', ...invite });
  const isRepeat = invite.status === 'accepted' && invite.acceptedBy === partnerId;
  const isReached = isOpenTo(await sandboxOf(tx, partnerId), invite);
  if (!isToken || !isReached || !(isRepeat || isInviteOpen(invite, now))) {
    throw new AppError('INVITE_EXPIRED');
  }
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

interface Joining {
  programId: string;
  partnerId: string;
  /** The invite's group. */
  groupId: string;
}

/**
 * Makes the partner an approved participant, whether it was in the programme or not; a pending one
 * where something is open of its address from before.
 */
async function joinProgram(
  { tx, vault }: { tx: Tx; vault: Pick<Vault, 'contactHash'> },
  context: CommandContext,
  { programId, partnerId, groupId }: Joining,
): Promise<{ participantId: string; isNew: boolean }> {
  const partner = await getPresentPartner(tx, partnerId);
  await refuseUnproven(tx, { programId, partner });
  const earlier = await earlierOfComer({ tx, vault }, { programId, partner });
  const status = earlier ? 'pending' : 'approved';
  const joining = { groupId, source: 'invite', actor: context.actor } as const;
  const comer = { programId, partner, status, earlier, joining } as const;
  const created = await createParticipant(tx, context, comer);
  if (created) {
    const { id: participantId } = created;
    const type = earlier ? 'participant.applied' : 'participant.approved';
    await recordJoining(tx, context, { participantId, type });
    return { participantId, isNew: true };
  }
  const participant = await getParticipantOfPartner(tx, { programId, partnerId });
  const { status: before, erasedAt } = participant;
  if (earlier) await waitInPlace(tx, context, { participant, earlier });
  else await approveInPlace(tx, context, participant);
  // Whom the invite approves or begins; who takes part already stays where they are.
  const isBegun = before === 'left' || (before !== 'approved' && !earlier);
  if (isBegun && erasedAt === null) {
    await joinGroup(tx, context, { member: participant, joining });
  }
  return { participantId: participant.id, isNew: false };
}

/** Who has left without ever being approved waits again. PARTICIPANT_INVALID_TRANSITION, PARTICIPANT_ERASED. */
async function waitInPlace(
  tx: Tx,
  { now }: CommandContext,
  { participant, earlier }: { participant: Participant; earlier: Earlier },
): Promise<void> {
  const { id, status, erasedAt } = participant;
  if (erasedAt) throw new AppError('PARTICIPANT_ERASED');
  if (status === 'rejected' || status === 'suspended') {
    throw new AppError('PARTICIPANT_INVALID_TRANSITION');
  }
  const set = { status: 'pending', earlier, updatedAt: now } as const;
  await update(tx, Participant, { set, where: { id } });
}

/** A server has added the address, which the account has not proved. PARTICIPANT_INVALID_TRANSITION. */
async function refuseUnproven(
  tx: Tx,
  comer: { programId: string; partner: { id: string; email: string } },
): Promise<void> {
  if (await isBound(tx, comer)) throw new AppError('PARTICIPANT_INVALID_TRANSITION');
}

async function approveInPlace(
  tx: Tx,
  context: CommandContext,
  participant: Participant,
): Promise<void> {
  if (participant.status === 'approved' && !participant.erasedAt) return;
  await moveParticipant(tx, participant, { trigger: 'accept', now: context.now });
  await recordJoining(tx, context, {
    participantId: participant.id,
    type: 'participant.approved',
  });
}

async function recordJoining(
  tx: Tx,
  context: CommandContext,
  joining: { participantId: string; type: 'participant.approved' | 'participant.applied' },
): Promise<void> {
  const event = await participantEvent(tx, { ...joining, cause: 'accept' });
  await record(tx, context, { events: [event] });
}
