import { TrackingLink } from '../../entities/tables/partners/tracking-link.entity';
import { findOne } from '../../entities/database/find';
import { update } from '../../entities/database/update';
import { insertAll } from '../../entities/database/insert-all';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { Participant } from '../../entities/tables/partners/participant.entity';
import { defaultGroupName } from '../../entities/rules/programs/groups';
import type { Earlier } from '../../entities/rules/partners/earlier';
import type {
  ParticipantCause,
  ParticipantStatus,
} from '../../entities/rules/partners/participant-status';
import { queryOne, type Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import type { ParticipantObject } from '../../entities/rules/webhooks/objects';
import type { EventDraft } from '../journal/events';
import { systemActor } from '../../entities/rules/values/actor';
import { beginInGroup, type Joining } from './membership';
import { takeFreshToken, takeToken } from './referral-tokens';

export interface NewParticipant {
  programId: string;
  partner: { id: string; name: string; email: string };
  /**
   * A server adds them: name and address are the merchant's until the person claims it, and it is bound
   * to that address, which the partner's account has proved or not.
   */
  bound?: { isProven: boolean };
  /** What was open of the address before: it waits for a member. */
  earlier?: Earlier | null;
  status: ParticipantStatus;
  message?: string | null;
  /** The code as the partner typed it; a fresh one is made when it is left out. */
  referralCode?: string | null | undefined;
  /** Absent: in the default group, from the start. */
  joining?: Joining;
}

/** The place and time of a new participant, whoever asks for it. */
type Creation = Pick<CommandContext, 'scope' | 'now'>;

/**
 * Adds a partner to a programme of the scope, with the default link and the referral code that leads
 * to it. Undefined when the partner is in the programme already; REFERRAL_CODE_TAKEN.
 */
export async function createParticipant(
  tx: Tx,
  context: Creation,
  input: NewParticipant,
): Promise<Participant | undefined> {
  const { scope, now } = context;
  const id = newId();
  if (!(await insertParticipant(tx, context, { ...input, id }))) return undefined;

  const { workspaceId, mode } = scope;
  const { programId } = input;
  const member = { id, workspaceId, mode, programId, groupId: null, createdAt: now };
  await beginInGroup(tx, member, joiningOf(input));
  const owner = { workspaceId, mode, programId, participantId: id };
  const linkId = newId();
  await insertAll(tx, {
    into: TrackingLink,
    rows: [{ ...owner, id: linkId, isDefault: true, token: '', createdAt: now }],
  });
  const code =
    input.referralCode ?? (await takeFreshToken(tx, owner, { kind: 'code', linkId, now }));
  if (input.referralCode) await takeToken(tx, owner, { token: code, kind: 'code', linkId, now });
  await update(tx, TrackingLink, { set: { token: code }, where: { id: linkId } });
  await update(tx, Participant, { set: { referralCode: code }, where: { id } });
  return getParticipant(tx, id);
}

function joiningOf({ joining, programId }: NewParticipant): Joining {
  return joining ?? { groupId: programId, source: 'start', actor: systemActor };
}

/** Waits for a rival transaction that adds the same partner, and then returns false. */
async function insertParticipant(
  tx: Tx,
  { scope, now }: Creation,
  input: NewParticipant & { id: string },
): Promise<boolean> {
  const { id, programId, partner, status, message = null, bound, earlier = null } = input;
  const copies = { partnerId: partner.id, partnerName: partner.name, partnerEmail: partner.email };
  const times = {
    createdAt: now,
    approvedAt: status === 'approved' ? now : null,
    claimedAt: bound ? null : now,
    provenAt: bound?.isProven ? now : null,
    updatedAt: now,
  };
  const boundEmail = bound ? partner.email : null;
  const { groupId: joined } = joiningOf(input);
  const group = { groupId: joined === programId ? null : joined, groupSince: now };
  const own = { workspaceId: scope.workspaceId, mode: scope.mode, programId };
  const added = await insertAll(tx, {
    into: Participant,
    rows: [
      {
        id,
        ...own,
        ...copies,
        boundEmail,
        status,
        earlier,
        message,
        referralCode: '',
        ...group,
        ...times,
      },
    ],
    onConflict: 'ON CONFLICT ON CONSTRAINT uq_participant_partner DO NOTHING',
  });
  return added === 1;
}

async function getParticipant(tx: Tx, id: string): Promise<Participant> {
  const participant = await findOne(tx, Participant, { where: { id } });
  if (!participant) throw new AppError('PARTICIPANT_NOT_FOUND');
  return participant;
}

/** Where a participant is looked for. */
export interface ParticipantKey {
  programId: string;
  participantId: string;
}

/** The participant of the scope under a row lock. PARTICIPANT_NOT_FOUND. */
export async function lockParticipant(
  tx: Tx,
  { scope: { workspaceId, mode } }: Pick<CommandContext, 'scope'>,
  { programId, participantId }: ParticipantKey,
): Promise<Participant> {
  const participant = await findOne(tx, Participant, {
    where: { id: participantId, programId, workspaceId, mode },
    lock: 'UPDATE',
  });
  if (!participant) throw new AppError('PARTICIPANT_NOT_FOUND');
  return participant;
}

/** Locks as lockParticipant does, for what an erased one refuses: PARTICIPANT_ERASED. */
export async function lockPresentParticipant(
  tx: Tx,
  context: Pick<CommandContext, 'scope'>,
  key: ParticipantKey,
): Promise<Participant> {
  const participant = await lockParticipant(tx, context, key);
  if (participant.erasedAt) throw new AppError('PARTICIPANT_ERASED');
  return participant;
}

/** The participant that a partner is in a programme, under a row lock. PARTICIPANT_NOT_FOUND. */
export async function getParticipantOfPartner(
  tx: Tx,
  key: { programId: string; partnerId: string },
): Promise<Participant> {
  const participant = await findOne(tx, Participant, { where: key, lock: 'UPDATE' });
  if (!participant) throw new AppError('PARTICIPANT_NOT_FOUND');
  return participant;
}

/**
 * A partner's account, held as it is until the end of the transaction: a change of its name or
 * address waits, and then finds the copies that were made of them. PARTICIPANT_ERASED.
 */
export async function getPresentPartner(
  tx: Tx,
  partnerId: string,
): Promise<{ id: string; name: string; email: string }> {
  const account = await queryOne<{ id: string; name: string; email: string; erased: boolean }>(
    tx,
    `SELECT id, name, coalesce(held_email, email) AS email, erased_at IS NOT NULL AS erased
       FROM partner_accounts WHERE id = $1 FOR SHARE`,
    [partnerId],
  );
  if (!account || account.erased) throw new AppError('PARTICIPANT_ERASED');
  return account;
}

export type ParticipantEvent =
  | 'participant.applied'
  | 'participant.approved'
  | 'participant.rejected'
  | 'participant.suspended'
  | 'participant.erased'
  | 'participant.moved';

type ParticipantDraft = Extract<EventDraft, { type: ParticipantEvent }>;

/** The event with the participant as it is now: snake_case, without the address. */
export async function participantEvent(
  tx: Tx,
  change: {
    participantId: string;
    type: ParticipantEvent;
    cause: ParticipantCause;
    /** Where a participant who is moved was. */
    fromGroupId?: string;
  },
): Promise<ParticipantDraft> {
  const participant = await getParticipant(tx, change.participantId);
  const { fromGroupId } = change;
  const codes = await queryOne<{ codes: string[]; groupName: string | null }>(
    tx,
    `SELECT coalesce(array_agg(code ORDER BY created_at, id), '{}') AS codes,
            (SELECT name FROM program_groups WHERE id = $2) AS "groupName"
       FROM promo_codes WHERE participant_id = $1`,
    [participant.id, participant.groupId ?? participant.programId],
  );
  const groupName = codes?.groupName ?? defaultGroupName;
  return {
    type: change.type,
    objectId: participant.id,
    object: {
      ...participantObject(participant, { groupName, promoCodes: codes?.codes ?? [] }),
      ...(fromGroupId === undefined ? {} : { from_group_id: fromGroupId }),
    },
    cause: change.cause,
  };
}

/** `data.object` of the participant.* kinds. */
function participantObject(
  participant: Participant,
  { groupName, promoCodes }: { groupName: string; promoCodes: string[] },
): ParticipantObject {
  return {
    id: participant.id,
    program_id: participant.programId,
    partner_gpa_id: participant.partnerId,
    partner_name: participant.partnerName,
    status: participant.status,
    status_reason: participant.statusReason,
    message: participant.message,
    referral_code: participant.referralCode,
    promo_codes: promoCodes,
    group_id: participant.groupId ?? participant.programId,
    group_name: groupName,
    created_at: participant.createdAt.toISOString(),
    approved_at: participant.approvedAt?.toISOString() ?? null,
  };
}
