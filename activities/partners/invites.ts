import { findById, findOne } from '../../entities/database/find';
import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { inviteExpiry, inviteMoves } from '../../entities/rules/partners/invite';
import { selectList } from '../../entities/database/columns';
import { movingSql } from '../../entities/database/moving';
import { queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import type { NewMail } from '../journal/mail-queue';
import { record } from '../journal/record';
import { groupOf } from '../programs/group-rows';
import { holdProgram, holdProgramOpen, requireOpen } from '../programs/programs';

const inviteColumns = selectList(PartnerInvite, 'i');

const of = 'i';
const moving = {
  renew: movingSql(inviteMoves, { trigger: 'renew', to: 'pending', of }),
  delete: movingSql(inviteMoves, { trigger: 'delete', to: 'deleted', of }),
};

interface InviteCommand {
  programId: string;
  email: string;
  name?: string | null | undefined;
  /** Where whoever accepts begins; absent: the default group. */
  groupId?: string | null | undefined;
}

/**
 * Invites an address into a programme and sends the mail. A second invite to an open one's address
 * is its next generation: the link of the earlier dies. Whether the address has an account, or had
 * one that is erased, makes no difference: the answer must not reveal it. PROGRAM_ARCHIVED,
 * GROUP_NOT_FOUND.
 */
export async function invitePartner(
  db: Db,
  context: CommandContext,
  command: InviteCommand,
): Promise<PartnerInvite> {
  const { scope, now } = context;
  return transaction(db, async (tx) => {
    const program = await holdProgramOpen(tx, command.programId, scope);
    const groupId = command.groupId ? (await groupOf(tx, program, command.groupId)).id : null;
    const invite = await queryOne<PartnerInvite>(
      tx,
      `INSERT INTO partner_invites AS i (id, workspace_id, mode, program_id, email, name, status,
              expires_at, created_at, group_id)
       VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9)
       ON CONFLICT (program_id, email) WHERE status = 'pending' DO UPDATE
         SET generation = i.generation + 1, expires_at = excluded.expires_at,
             name = coalesce(excluded.name, i.name),
             group_id = coalesce(excluded.group_id, i.group_id)
       RETURNING ${inviteColumns}`,
      [
        newId(),
        scope.workspaceId,
        scope.mode,
        program.id,
        command.email,
        command.name ?? null,
        inviteExpiry(now),
        now,
        groupId,
      ],
    );
    if (!invite) throw new Error('an upsert returns its row');
    await recordInvite(tx, context, {
      action: 'partner_invite.created',
      invite,
      mail: await inviteMail(tx, program, invite),
    });
    return invite;
  });
}

interface InviteKey {
  programId: string;
  inviteId: string;
}

/**
 * The next generation of an open or expired invite, with a new mail. NOT_FOUND, INVITE_EXPIRED when
 * it was spent, PROGRAM_ARCHIVED.
 */
export async function resendPartnerInvite(
  db: Db,
  context: CommandContext,
  command: InviteKey,
): Promise<void> {
  const { scope, now } = context;
  await transaction(db, async (tx) => {
    const program = await holdProgram(tx, command.programId, scope);
    const invite = await queryOne<PartnerInvite>(
      tx,
      `UPDATE partner_invites AS i
          SET ${moving.renew.set}, generation = generation + 1, expires_at = $5
        WHERE id = $1 AND program_id = $2 AND workspace_id = $3 AND mode = $4
          AND ${moving.renew.where}
        RETURNING ${inviteColumns}`,
      [command.inviteId, program.id, scope.workspaceId, scope.mode, inviteExpiry(now)],
    );
    if (!invite) throw await resendRefusal(tx, context, command);
    requireOpen(program);
    await recordInvite(tx, context, {
      action: 'partner_invite.resent',
      invite,
      mail: await inviteMail(tx, program, invite),
    });
  });
}

async function resendRefusal(
  tx: Tx,
  { scope: { workspaceId, mode } }: CommandContext,
  { programId, inviteId: id }: InviteKey,
): Promise<AppError> {
  const where = { id, programId, workspaceId, mode, status: 'accepted' } as const;
  const spent = await findOne(tx, PartnerInvite, { where });
  return new AppError(spent ? 'INVITE_EXPIRED' : 'NOT_FOUND');
}

/**
 * Withdraws an invite: its link is dead, and it leaves the list; who joined stays. NOT_FOUND,
 * PROGRAM_ARCHIVED.
 */
export async function deletePartnerInvite(
  db: Db,
  context: CommandContext,
  { programId, inviteId }: InviteKey,
): Promise<void> {
  const { scope } = context;
  await transaction(db, async (tx) => {
    const program = await holdProgram(tx, programId, scope);
    const invite = await queryOne<PartnerInvite>(
      tx,
      `UPDATE partner_invites AS i SET ${moving.delete.set}
        WHERE id = $1 AND program_id = $2 AND workspace_id = $3 AND mode = $4
          AND ${moving.delete.where}
        RETURNING ${inviteColumns}`,
      [inviteId, programId, scope.workspaceId, scope.mode],
    );
    if (!invite) throw new AppError('NOT_FOUND');
    requireOpen(program);
    await recordInvite(tx, context, { action: 'partner_invite.deleted', invite });
  });
}

type Mail = Omit<NewMail, 'at'>;

async function inviteMail(tx: Tx, program: Program, invite: PartnerInvite): Promise<Mail> {
  const { workspaceId, mode } = program;
  const workspace = await findById(tx, Workspace, workspaceId);
  return {
    type: 'partner.invited',
    to: { side: 'partner', address: invite.email },
    scope: { workspaceId, mode },
    params: {
      inviteId: invite.id,
      generation: invite.generation,
      programId: program.id,
      programName: program.name,
      workspaceName: workspace?.name ?? null,
      name: invite.name,
    },
  };
}

/** Writes what a change of an invite leaves behind. */
export async function recordInvite(
  tx: Tx,
  context: CommandContext,
  { action, invite, mail }: { action: string; invite: PartnerInvite; mail?: Mail },
): Promise<void> {
  await record(tx, context, {
    audit: { action, target: { type: 'partner_invite', id: invite.id } },
    mails: mail ? [mail] : [],
  });
}
