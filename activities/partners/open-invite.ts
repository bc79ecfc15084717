import { Workspace } from '../../entities/tables/workspace/workspace.entity';
import { findById, findOne } from '../../entities/database/find';
import { type Db } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { isInviteOpen } from '../../entities/rules/partners/invite';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import { Program } from '../../entities/tables/programs/program.entity';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import { defaultGroupRow, findGroup } from '../programs/group-rows';
import { isMailToken, mailTokenId } from '../../runtime/crypto/mail-tokens';
import type { Vault } from '../../runtime/crypto/vault';

export interface OpenInvite {
  invite: PartnerInvite;
  program: Program;
  group: ProgramGroup;
  workspaceName: string;
}

/** What the token of an invite's link opens, in either mode, changing nothing. INVITE_EXPIRED. */
export async function findOpenInvite(
  { db, vault }: { db: Db; vault: Pick<Vault, 'derive'> },
  { token, now }: { token: string; now: Date },
): Promise<OpenInvite> {
  const id = mailTokenId(token);
  const invite = id === undefined ? null : await findOne(db, PartnerInvite, { where: { id } });
  if (!invite || !isInviteOpen(invite, now)) throw new AppError('INVITE_EXPIRED');
  if (!isMailToken(vault, token, { purpose: 'partner_invite', ...invite })) {
    throw new AppError('INVITE_EXPIRED');
  }
  const program = await findById(db, Program, invite.programId);
  const workspace = await findById(db, Workspace, invite.workspaceId);
  if (!program || !workspace) throw new AppError('INVITE_EXPIRED');
  const group = await findGroup(db, program, invite.groupId ?? program.id);
  const { name: workspaceName } = workspace;
  return { invite, program, group: group ?? defaultGroupRow(program), workspaceName };
}
