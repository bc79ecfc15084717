import { insertAll } from '../../entities/database/insert-all';
import { queryOne, type Tx } from '../../entities/database/sql';
import { update } from '../../entities/database/update';
import { newId } from '../../entities/ids';
import type { GroupSource } from '../../entities/rules/programs/groups';
import { systemActor, type Actor } from '../../entities/rules/values/actor';
import { GroupMembership } from '../../entities/tables/partners/group-membership.entity';
import { Participant } from '../../entities/tables/partners/participant.entity';

/** Into which group, and how somebody came there. */
export interface Joining {
  groupId: string;
  source: GroupSource;
  actor: Pick<Actor, 'type' | 'id'>;
  reason?: string | null | undefined;
}

type Member = Pick<
  Participant,
  'id' | 'workspaceId' | 'mode' | 'programId' | 'groupId' | 'createdAt'
>;

/**
 * Writes that a participant, whose row the transaction holds, is in a group from now on. Two moves of
 * one moment follow each other; a sale between counts as it arrived.
 */
export async function joinGroup(
  tx: Tx,
  { now }: { now: Date },
  { member, joining }: { member: Member; joining: Joining },
): Promise<void> {
  const { groupId, source, actor, reason = null } = joining;
  const since = await sinceOf(tx, { now }, member);
  await insertAll(tx, {
    into: GroupMembership,
    rows: [{ ...rowOf(member), groupId, source, since, ...byOf(actor), reason }],
  });
  const isDefault = groupId === member.programId;
  const set = { groupId: isDefault ? null : groupId, groupSince: since, updatedAt: now };
  await update(tx, Participant, { set, where: { id: member.id } });
}

/** The first row of somebody new, whose own row says the same. */
export async function beginInGroup(
  tx: Tx,
  member: Member,
  { groupId, source, actor }: Joining,
): Promise<void> {
  const since = member.createdAt;
  await insertAll(tx, {
    into: GroupMembership,
    rows: [{ ...rowOf(member), groupId, source, since, ...byOf(actor), reason: null }],
  });
}

/**
 * The time of the new row, later than the last one. A participant from before rows were kept first
 * gets one that says where they were until now.
 */
async function sinceOf(tx: Tx, { now }: { now: Date }, member: Member): Promise<Date> {
  const last = await queryOne<{ since: Date }>(
    tx,
    'SELECT since FROM group_memberships WHERE participant_id = $1 ORDER BY since DESC LIMIT 1',
    [member.id],
  );
  const groupId = member.programId;
  const start: Joining = { groupId, source: 'start', actor: systemActor };
  if (!last) await beginInGroup(tx, member, start);
  const { since } = last ?? { since: member.createdAt };
  return since < now ? now : new Date(since.getTime() + 1);
}

function rowOf({ id: participantId, workspaceId, mode, programId }: Member) {
  return { id: newId(), participantId, workspaceId, mode, programId };
}

function byOf({ type, id }: Pick<Actor, 'type' | 'id'>) {
  return { actorType: type, actorId: id };
}
