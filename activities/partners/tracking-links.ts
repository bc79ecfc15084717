import { findOne } from '../../entities/database/find';
import { update } from '../../entities/database/update';
import { insertAll } from '../../entities/database/insert-all';
import { AppError, validationError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import { isTargetAllowed, parseWebUrl } from '../../entities/rules/partners/link-target';
import { execute, transaction, type Db, type Tx } from '../../entities/database/sql';
import { TrackingLink } from '../../entities/tables/partners/tracking-link.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { lockPresentParticipant, type ParticipantKey } from './participants';
import { holdProgram, holdProgramOpen, requireOpen } from '../programs/programs';
import { takeFreshToken } from './referral-tokens';

export interface NewLink extends ParticipantKey {
  name?: string | null | undefined;
  targetUrl: string;
}

/**
 * A new link of an approved participant. PROGRAM_ARCHIVED, PARTICIPANT_ERASED,
 * PARTICIPANT_NOT_APPROVED, LINK_TARGET_NOT_ALLOWED.
 */
export async function createLink(
  db: Db,
  context: CommandContext,
  command: NewLink,
): Promise<TrackingLink> {
  return transaction(db, async (tx) => {
    const program = await holdProgramOpen(tx, command.programId, context.scope);
    const participant = await lockPresentParticipant(tx, context, command);
    if (participant.status !== 'approved') throw new AppError('PARTICIPANT_NOT_APPROVED');
    refuseForeignTarget(command.targetUrl, program.websiteUrl);

    const link = newLink(participant, command, context.now);
    await insertAll(tx, { into: TrackingLink, rows: [link] });
    link.token = await takeFreshToken(
      tx,
      { ...participant, participantId: participant.id },
      { kind: 'link', linkId: link.id, now: context.now },
    );
    await update(tx, TrackingLink, { set: { token: link.token }, where: { id: link.id } });
    await auditLink(tx, context, { linkId: link.id, action: 'tracking_link.created' });
    return link;
  });
}

/**
 * Deletes a link: its token leads nowhere from now on and is never issued again, its clicks stay.
 * PARTICIPANT_ERASED, NOT_FOUND, PROGRAM_ARCHIVED; the default link stays as long as its participant
 * (LINK_IS_DEFAULT).
 */
export async function deleteLink(
  db: Db,
  context: CommandContext,
  command: ParticipantKey & { linkId: string },
): Promise<void> {
  await transaction(db, async (tx) => {
    const program = await holdProgram(tx, command.programId, context.scope);
    const participant = await lockPresentParticipant(tx, context, command);
    const key = { id: command.linkId, participantId: participant.id };
    const link = await findOne(tx, TrackingLink, { where: key });
    if (!link || link.deletedAt) throw new AppError('NOT_FOUND');
    requireOpen(program);
    if (link.isDefault) throw new AppError('LINK_IS_DEFAULT');

    await update(tx, TrackingLink, { set: { deletedAt: context.now }, where: key });
    await execute(tx, 'UPDATE referral_tokens SET retired_at = $2 WHERE link_id = $1', [
      link.id,
      context.now,
    ]);
    await auditLink(tx, context, { linkId: link.id, action: 'tracking_link.deleted' });
  });
}

function refuseForeignTarget(targetUrl: string, websiteUrl: string): void {
  const target = parseWebUrl(targetUrl);
  const website = parseWebUrl(websiteUrl);
  if (!target) throw validationError('targetUrl', 'must be an absolute http or https URL');
  if (!website || !isTargetAllowed(target, website)) throw new AppError('LINK_TARGET_NOT_ALLOWED');
}

function newLink(participant: Participant, command: NewLink, now: Date): TrackingLink {
  return {
    id: newId(),
    workspaceId: participant.workspaceId,
    mode: participant.mode,
    programId: participant.programId,
    participantId: participant.id,
    isDefault: false,
    token: '',
    name: command.name ?? null,
    targetUrl: command.targetUrl,
    createdAt: now,
    deletedAt: null,
  };
}

async function auditLink(
  tx: Tx,
  context: CommandContext,
  { linkId, action }: { linkId: string; action: string },
): Promise<void> {
  await record(tx, context, { audit: { action, target: { type: 'tracking_link', id: linkId } } });
}
