import { insertAll } from '../../entities/database/insert-all';
import { query, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { update } from '../../entities/database/update';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import {
  defaultGroupProblems,
  groupNameKey,
  groupsNamed,
  maxGroups,
} from '../../entities/rules/programs/groups';
import { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import { GroupMembership } from '../../entities/tables/partners/group-membership.entity';
import { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { keepFormerTerms, offerOf } from './former-terms';
import {
  defaultGroupRow,
  findGroup,
  findGroupNamed,
  groupOf,
  groupsByName,
  isDefaultGroup,
} from './group-rows';
import { lockOpenProgram } from './programs';
import { noteTermsEdit } from './terms-edits';

/** What a merchant sets of a group. */
type GroupSettings = Pick<
  ProgramGroup,
  | 'name'
  | 'description'
  | 'commission'
  | 'holdDays'
  | 'autoApprove'
  | 'publicApplications'
  | 'approvalMode'
>;

type Given<T> = { [K in keyof T]?: T[K] | undefined };

export type NewGroup = Pick<GroupSettings, 'name'> & Given<GroupSettings>;

/** Adds a group, closed to applications unless said. PROGRAM_ARCHIVED, GROUP_NAME_TAKEN, GROUP_LIMIT. */
export async function createGroup(
  db: Db,
  context: CommandContext,
  { programId, group: given }: { programId: string; group: NewGroup },
): Promise<ProgramGroup> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, context.scope, programId);
    const { now } = context;
    const group = newGroupRow(program, given, now);
    await refuseTooMany(tx, program);
    await refuseTakenName(tx, group);
    await changing(tx, { program, now }, async () => {
      await insertAll(tx, { into: ProgramGroup, rows: [group] });
    });
    await auditGroup(tx, context, { groupId: group.id, action: 'group.created' });
    return group;
  });
}

function newGroupRow(program: Program, given: NewGroup, now: Date): ProgramGroup {
  const own = { ...settingsOf(given), createdAt: now, updatedAt: now };
  return { ...defaultGroupRow(program), id: newId(), ...own };
}

/**
 * Adds the groups whose names the programme does not have yet, up to the most that a programme may have, and gives
 * those that were made. The programme's row is locked by the caller. No partner gets a notice: a new group has
 * no members whose terms could change.
 */
export async function addGroups(
  tx: Tx,
  context: CommandContext,
  { program, groups }: { program: Program; groups: readonly NewGroup[] },
): Promise<ProgramGroup[]> {
  const { now } = context;
  const keys = groups.map(({ name }) => groupNameKey(name));
  const known = await groupsByName(tx, program, keys);
  const rows = new Map<string, ProgramGroup>();
  for (const group of groups) {
    const row = newGroupRow(program, group, now);
    if (!known.has(row.nameKey) && !rows.has(row.nameKey)) rows.set(row.nameKey, row);
  }
  const room = Math.max(0, maxGroups - (await countGroups(tx, program)));
  const made = [...rows.values()].slice(0, room);
  if (made.length === 0) return made;
  await changing(tx, { program, now }, async () => {
    await insertAll(tx, { into: ProgramGroup, rows: made });
  });
  for (const { id: groupId } of made) {
    await auditGroup(tx, context, { groupId, action: 'group.created' });
  }
  return made;
}

/** Deletes those of these groups that have no members and are named by no rule or tier; the caller has locked the programme. */
export async function dropUnusedGroups(
  tx: Tx,
  context: CommandContext,
  { program, groupIds }: { program: Program; groupIds: readonly string[] },
): Promise<void> {
  for (const groupId of groupIds) {
    const group = await findGroup(tx, program, groupId);
    if (group && !(await isUsed(tx, context, { program, group }))) {
      await dropGroup(tx, context, { program, groupId });
    }
  }
}

/**
 * Changes a group; `commission` is replaced as a whole, null leaves a field to the programme. GROUP_NOT_FOUND,
 * PROGRAM_ARCHIVED, GROUP_NAME_TAKEN; VALIDATION_ERROR for what the default group cannot have.
 */
export async function updateGroup(
  db: Db,
  context: CommandContext,
  {
    programId,
    groupId,
    patch,
    notify = true,
  }: GroupKey & { patch: Given<GroupSettings>; notify?: boolean },
): Promise<ProgramGroup> {
  return transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, context.scope, programId);
    const group = await groupOf(tx, program, groupId);
    refuseOfDefault(group, program, patch);
    const { name, description } = patch;
    const settings = settingsOf(isDefaultGroup(group) ? { name, description } : patch);
    const set = { ...settings, updatedAt: context.now };
    const after = { ...group, ...set };
    await refuseTakenName(tx, after);
    const isOther = await changing(tx, { program, now: context.now }, async () => {
      const changed = await update(tx, ProgramGroup, { set, where: { id: group.id } });
      if (changed === 0) await insertAll(tx, { into: ProgramGroup, rows: [after] });
    });
    if (isOther && notify) await noteTermsEdit(tx, context, program);
    await auditGroup(tx, context, { groupId: group.id, action: 'group.updated' });
    return after;
  });
}

interface GroupKey {
  programId: string;
  groupId: string;
}

/**
 * Deletes a group that nothing leads into. Who is in it and takes no part any more counts as in the default
 * group from now on. GROUP_NOT_FOUND, PROGRAM_ARCHIVED, GROUP_IN_USE.
 */
export async function deleteGroup(
  db: Db,
  context: CommandContext,
  { programId, groupId }: GroupKey,
): Promise<void> {
  await transaction(db, async (tx) => {
    const program = await lockOpenProgram(tx, context.scope, programId);
    const group = await groupOf(tx, program, groupId);
    if (await isUsed(tx, context, { program, group })) throw new AppError('GROUP_IN_USE');
    await dropGroup(tx, context, { program, groupId });
  });
}

async function isUsed(
  tx: Tx,
  context: CommandContext,
  { program, group }: { program: Program; group: ProgramGroup },
): Promise<boolean> {
  const { id: groupId } = group;
  const isNamed = groupsNamed(program.rules).some((one) => one.groupId === groupId);
  return isDefaultGroup(group) || isNamed || isInUse(tx, context, { program, groupId });
}

async function dropGroup(
  tx: Tx,
  context: CommandContext,
  { program, groupId }: { program: Program; groupId: string },
): Promise<void> {
  await changing(tx, { program, now: context.now }, async () => {
    const set = { deletedAt: context.now, updatedAt: context.now };
    await update(tx, ProgramGroup, { set, where: { id: groupId } });
  });
  await emptyGroup(tx, context, { programId: program.id, groupId });
  await auditGroup(tx, context, { groupId, action: 'group.deleted' });
}

async function isInUse(
  tx: Tx,
  { now }: CommandContext,
  { program, groupId }: { program: Program; groupId: string },
): Promise<boolean> {
  const used = await queryOne(
    tx,
    `SELECT 1 FROM participants
      WHERE coalesce(group_id, program_id) = $1 AND erased_at IS NULL
        AND status IN ('pending', 'approved', 'suspended')
      UNION ALL
     SELECT 1 FROM program_tiers
      WHERE program_id = $2 AND steps @> jsonb_build_array(jsonb_build_object('groupId', $1::text))
      UNION ALL
     SELECT 1 FROM program_bonuses AS b, jsonb_array_elements(b.bonuses) AS one
      WHERE b.program_id = $2 AND one->'groupIds' ? $1::text
      UNION ALL
     SELECT 1 FROM partner_invites
      WHERE program_id = $2 AND group_id = $1 AND status = 'pending' AND expires_at > $3
      LIMIT 1`,
    [groupId, program.id, now],
  );
  return used !== undefined;
}

/**
 * Moves the rest of a group out of it before it is deleted: partners who are rejected, have left or
 * are erased, and invites that nobody can accept.
 */
async function emptyGroup(
  tx: Tx,
  { scope: { workspaceId, mode }, actor, now }: CommandContext,
  { programId, groupId }: GroupKey,
): Promise<void> {
  const rows = await query<{ participantId: string; since: Date }>(
    tx,
    `UPDATE participants AS p SET group_id = NULL, group_since = $2
      WHERE coalesce(p.group_id, p.program_id) = $1
      RETURNING p.id AS "participantId", greatest($2, (
        SELECT max(m.since) + interval '1 millisecond' FROM group_memberships AS m
         WHERE m.participant_id = p.id)) AS since`,
    [groupId, now],
  );
  const given = { workspaceId, mode, programId, groupId: programId, source: 'hand' } as const;
  const by = { actorType: actor.type, actorId: actor.id, reason: null };
  const moved = rows.map((row) => ({ id: newId(), ...row, ...given, ...by }));
  await insertAll(tx, { into: GroupMembership, rows: moved });
  await update(tx, PartnerInvite, { set: { groupId: null }, where: { programId, groupId } });
}

/** Makes a change of what the programme offers and keeps what it offered before; whether it changed. */
async function changing(
  tx: Tx,
  { program, now }: { program: Program; now: Date },
  change: () => Promise<void>,
): Promise<boolean> {
  const before = await offerOf(tx, program);
  await change();
  const after = await offerOf(tx, program);
  return keepFormerTerms(tx, { program, before, after, now });
}

function refuseOfDefault(group: ProgramGroup, program: Program, patch: Given<GroupSettings>): void {
  if (!isDefaultGroup(group)) return;
  const problems = defaultGroupProblems(patch, program);
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems });
}

async function refuseTooMany(tx: Tx, program: Program): Promise<void> {
  if ((await countGroups(tx, program)) >= maxGroups) throw new AppError('GROUP_LIMIT');
}

async function countGroups(tx: Tx, { id }: Program): Promise<number> {
  const row = await queryOne<{ count: number }>(
    tx,
    'SELECT count(*) AS count FROM program_groups WHERE program_id = $1 AND deleted_at IS NULL',
    [id],
  );
  return row?.count ?? 0;
}

async function refuseTakenName(
  tx: Tx,
  { id, programId, name }: Pick<ProgramGroup, 'id' | 'programId' | 'name'>,
): Promise<void> {
  const named = await findGroupNamed(tx, { id: programId }, name);
  if (named && named.id !== id) throw new AppError('GROUP_NAME_TAKEN');
}

function settingsOf(given: Given<GroupSettings>): Partial<ProgramGroup> {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const settings = Object.fromEntries(present) as Partial<GroupSettings>;
  const { name } = settings;
  return name === undefined ? settings : { ...settings, nameKey: groupNameKey(name) };
}

async function auditGroup(
  tx: Tx,
  context: CommandContext,
  { groupId, action }: { groupId: string; action: string },
): Promise<void> {
  await record(tx, context, { audit: { action, target: { type: 'group', id: groupId } } });
}
