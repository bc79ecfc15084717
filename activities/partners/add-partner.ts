import { findById, findOne } from '../../entities/database/find';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { AppError } from '../../entities/errors';
import { transaction, type Db, type Tx } from '../../entities/database/sql';
import { Participant } from '../../entities/tables/partners/participant.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import type { Vault } from '../../runtime/crypto/vault';
import { claimParticipations, holdOrMakePartner } from '../accounts/claim';
import type { Cause, CommandContext } from '../journal/cause';
import type { NewMail } from '../journal/mail-queue';
import { record } from '../journal/record';
import { holdProgramOpen } from '../programs/programs';
import { refuseErasedAddress } from './erased-address';
import { createParticipant, getPresentPartner, participantEvent } from './participants';
import { refuseErasedCode } from './referral-tokens';

export interface AddPartner {
  programId: string;
  /** Normalised. */
  email: string;
  name: string;
  referralCode?: string | null | undefined;
  message?: string | null | undefined;
}

/**
 * Makes the person of an address an approved participant at once, with an account that they claim by
 * a mail when they have none. Whether they had one shows nowhere: the merchant reads the name that it
 * gave until they open the programme. Who is in it already stays as they are, and who was erased
 * there comes back by an application or an invite only. PROGRAM_ARCHIVED, PARTICIPANT_ERASED,
 * REFERRAL_CODE_TAKEN.
 */
export async function addPartner(
  { db, vault }: { db: Db; vault: Pick<Vault, 'contactHash'> },
  context: CommandContext,
  command: AddPartner,
): Promise<{ participantId: string; isNew: boolean }> {
  const { programId, email, name, referralCode, message = null } = command;
  return transaction(db, async (tx) => {
    const program = await holdProgramOpen(tx, programId, context.scope);
    const { id: partnerId } = await holdOrMakePartner(tx, context, { email, name });
    const known = await findInProgram(tx, { programId, partnerId });
    if (known) return { participantId: known, isNew: false };

    await refuseErasedAddress({ db: tx, vault }, { programId, email });
    if (referralCode) await refuseErasedCode({ db: tx, vault }, context, referralCode);
    const partner = { id: partnerId, name, email };
    const newcomer = { programId, partner, status: 'approved', message, referralCode } as const;
    const created = await createParticipant(tx, context, { ...newcomer, isUnclaimed: true });
    const rival = created ? undefined : await findInProgram(tx, { programId, partnerId });
    if (rival) return { participantId: rival, isNew: false };
    if (!created) throw new Error('a partner is in the programme, or is added to it');

    const participantId = created.id;
    const approval = { participantId, type: 'participant.approved', cause: 'add' } as const;
    await record(tx, context, {
      audit: { action: 'participant.added', target: { type: 'participant', id: participantId } },
      events: [await participantEvent(tx, approval)],
      mails: [await addedMail(tx, program, created)],
    });
    return { participantId, isNew: true };
  });
}

/** PARTICIPANT_ERASED for one that is erased. */
async function findInProgram(
  tx: Tx,
  key: { programId: string; partnerId: string },
): Promise<string | undefined> {
  const participant = await findOne(tx, Participant, { where: key });
  if (participant?.erasedAt) throw new AppError('PARTICIPANT_ERASED');
  return participant?.id;
}

async function addedMail(
  tx: Tx,
  { id: programId, name: programName, workspaceId, mode }: Program,
  { id: participantId, partnerEmail }: Participant,
): Promise<Omit<NewMail, 'at'>> {
  const workspace = await findById(tx, Workspace, workspaceId);
  return {
    type: 'partner.added',
    to: { side: 'partner', address: partnerEmail },
    scope: { workspaceId, mode },
    params: { participantId, programId, programName, workspaceName: workspace?.name ?? null },
  };
}

/** The person opens a programme that they were added to: from now on it is theirs. */
export async function openParticipation(
  db: Db,
  cause: Pick<Cause, 'now'>,
  { id: participantId, partnerId, claimedAt }: Participant,
): Promise<void> {
  if (claimedAt) return;
  await transaction(db, async (tx) => {
    await getPresentPartner(tx, partnerId);
    await claimParticipations(tx, cause, { partnerId, participantId });
  });
}
