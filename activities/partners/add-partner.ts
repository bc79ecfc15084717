import { findById } from '../../entities/database/find';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { AppError } from '../../entities/errors';
import { query, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import type { Vault } from '../../runtime/crypto/vault';
import { accountFor, lockAddress } from '../accounts/addresses';
import { claimParticipations } from '../accounts/claim';
import type { Cause, CommandContext } from '../journal/cause';
import type { NewMail } from '../journal/mail-queue';
import { record } from '../journal/record';
import { groupOf } from '../programs/group-rows';
import { holdProgramOpen } from '../programs/programs';
import { earlierOfAdded } from './erased-address';
import { createParticipant, getPresentPartner, participantEvent } from './participants';
import { refuseErasedCode } from './referral-tokens';

export interface AddPartner {
  programId: string;
  /** Normalised. */
  email: string;
  name: string;
  referralCode?: string | null | undefined;
  message?: string | null | undefined;
  /** Where a new one begins; absent: the default group. */
  groupId?: string | null | undefined;
}

/**
 * Makes the person of an address an approved participant at once, with an account that they claim by
 * a mail when they have none. Whether they had one shows nowhere: the merchant reads the name that it
 * gave until they open the programme, which takes the proof of that address. Who is in it already stays
 * as they are. Who was erased there comes back by an application or an invite only, and pending where
 * something is open of before. PROGRAM_ARCHIVED, GROUP_NOT_FOUND, PARTICIPANT_ERASED, REFERRAL_CODE_TAKEN.
 */
export async function addPartner(
  { db, vault }: { db: Db; vault: Pick<Vault, 'contactHash'> },
  context: CommandContext,
  command: AddPartner,
): Promise<{ participantId: string; isNew: boolean }> {
  const { programId, email, name, referralCode, message = null, groupId } = command;
  return transaction(db, async (tx) => {
    await lockAddress(tx, email);
    const program = await holdProgramOpen(tx, programId, context.scope);
    const group = await groupOf(tx, program, groupId ?? programId);
    const known = await findInProgram(tx, { programId, email });
    if (known) return { participantId: known, isNew: false };

    const earlier = await earlierOfAdded({ db: tx, vault }, { programId, email });
    if (referralCode) await refuseErasedCode({ db: tx, vault }, context, referralCode);
    const { id, isProven } = await accountFor(tx, context, { email, name });
    const partner = { id, name, email };
    const status = earlier ? 'pending' : 'approved';
    const joining = { groupId: group.id, source: 'start', actor: context.actor } as const;
    const newcomer = {
      programId,
      partner,
      status,
      earlier,
      message,
      referralCode,
      joining,
    } as const;
    const created = await createParticipant(tx, context, { ...newcomer, bound: { isProven } });
    const rival = created ? undefined : await findInProgram(tx, { programId, email });
    if (rival) return { participantId: rival, isNew: false };
    if (!created) throw new Error('a partner is in the programme, or is added to it');

    const participantId = created.id;
    const type = earlier ? 'participant.applied' : 'participant.approved';
    const change = { participantId, type, cause: 'add' } as const;
    await record(tx, context, {
      audit: { action: 'participant.added', target: { type: 'participant', id: participantId } },
      events: [await participantEvent(tx, change)],
      mails: [await addedMail(tx, program, created)],
    });
    return { participantId, isNew: true };
  });
}

/**
 * The participation of an address: of the account that has it, of one that stands for it, or one that
 * is shown under it. PARTICIPANT_ERASED for one that is erased.
 */
async function findInProgram(
  tx: Tx,
  { programId, email }: { programId: string; email: string },
): Promise<string | undefined> {
  const participant = await queryOne<{ id: string; erased: boolean }>(
    tx,
    `SELECT id, erased_at IS NOT NULL AS erased FROM participants
      WHERE program_id = $1 AND partner_id = ANY (ARRAY (
              SELECT id FROM partner_accounts WHERE email = $2 AND erased_at IS NULL
              UNION ALL
              SELECT id FROM partner_accounts WHERE held_email = $2 AND erased_at IS NULL))
      UNION ALL
     SELECT id, false FROM participants
      WHERE program_id = $1 AND bound_email = $2 AND (proven_at IS NULL OR claimed_at IS NULL)
      LIMIT 1`,
    [programId, email],
  );
  if (participant?.erased) throw new AppError('PARTICIPANT_ERASED');
  return participant?.id;
}

/** The participations of many addresses, as findInProgram finds that of one; erased ones too. */
export async function participantsByAddress(
  db: Db,
  { programId, emails }: { programId: string; emails: readonly string[] },
): Promise<Map<string, { id: string; erased: boolean }>> {
  const rows = await query<{ email: string; id: string; erased: boolean }>(
    db,
    `SELECT k.email, p.id, p.erased_at IS NOT NULL AS erased FROM unnest($2::text[]) AS k (email)
      CROSS JOIN LATERAL (
        SELECT id FROM partner_accounts WHERE email = k.email AND erased_at IS NULL
         UNION ALL
        SELECT id FROM partner_accounts WHERE held_email = k.email AND erased_at IS NULL
         OFFSET 0) AS a
      CROSS JOIN LATERAL (SELECT id, erased_at FROM participants
        WHERE partner_id = a.id AND program_id = $1 OFFSET 0) AS p
      UNION ALL
     SELECT k.email, p.id, false FROM unnest($2::text[]) AS k (email)
      CROSS JOIN LATERAL (SELECT id FROM participants
        WHERE program_id = $1 AND bound_email = k.email
          AND (proven_at IS NULL OR claimed_at IS NULL) OFFSET 0) AS p`,
    [programId, emails],
  );
  return new Map(rows.map(({ email, ...found }) => [email, found]));
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
