import { findById } from '../../../entities/database/find';
import type { WorkspaceContext } from '../../../activities/journal/cause';
import { insertMerchant } from '../../../activities/accounts/register';
import { createPasswordHasher } from '../../../runtime/crypto/passwords';
import { createVault } from '../../../runtime/crypto/vault';
import {
  acceptMemberInvite,
  changeInviteRole,
  endInvite,
  inviteMember,
} from '../../../activities/workspace/member-invites';
import { changeRole, removeMember } from '../../../activities/workspace/members';
import { newId } from '../../../entities/ids';
import { countFrom, execute, transaction, type Db } from '../../../entities/database/sql';
import {
  memberInviteMoves,
  memberInviteState,
  memberInviteStates,
  memberInviteTriggers,
  type MemberInviteState,
  type MemberInviteTrigger,
} from '../../../entities/rules/workspace/member-invite';
import { systemActor } from '../../../entities/rules/values/actor';
import { MemberInvite } from '../../../entities/tables/workspace/member-invite.entity';
import { buildMember } from '../../support/build/accounts';
import { eventually } from '../../support/eventually';
import { useDatabase } from '../../support/data-source';

const database = useDatabase();
let db: Db;
beforeAll(async () => {
  db = database.source.manager;
});

const key = { id: 'k', key: Buffer.alloc(32, 1) };
const vault = createVault({
  encryptionKeys: [key],
  ipHashKeys: [key],
  contactHashKey: Buffer.alloc(32, 2),
} as Parameters<typeof createVault>[0]);

const origin = { ip: '192.0.2.1', userAgent: null };
const password = 'correct horse battery';

async function buildInvite(state: MemberInviteState = 'open') {
  const { id, workspaceId } = await buildMember(db);
  const context: WorkspaceContext = {
    scope: { workspaceId },
    actor: { type: 'member', id },
    now: new Date(),
  };
  const email = `${newId()}@member.example`;
  const invite = await inviteMember({ db, vault }, context, { email, role: 'viewer' });
  if (state !== 'open') {
    await execute(db, `UPDATE member_invites SET ${state}_at = now() WHERE id = $1`, [invite.id]);
  }
  return { context, invite };
}

type Story = Awaited<ReturnType<typeof buildInvite>>;

/** The statement behind each trigger, without the checks before it. */
const statements: Record<MemberInviteTrigger, (story: Story) => Promise<unknown>> = {
  change_role: ({ context, invite: { id: inviteId } }) =>
    transaction(db, (tx) => changeInviteRole(tx, context, { inviteId, role: 'admin' })),
  accept: ({ context, invite: { id: inviteId } }) =>
    transaction(db, (tx) => endInvite(tx, context, { inviteId, trigger: 'accept' })),
  withdraw: ({ context, invite: { id: inviteId } }) =>
    transaction(db, (tx) => endInvite(tx, context, { inviteId, trigger: 'withdraw' })),
};

const rowOf = async ({ invite }: Story) =>
  (await findById(db, MemberInvite, invite.id)) as MemberInvite;

const pairs = memberInviteStates.flatMap((from) =>
  memberInviteTriggers.map((trigger) => [from, trigger] as const),
);

it.each(pairs)('moves an invite that is %s by %s only where the table does', async (from, by) => {
  const story = await buildInvite(from);
  await statements[by](story);
  const row = await rowOf(story);
  const to = memberInviteMoves[from][by]?.[0];
  expect(memberInviteState(row)).toBe(to ?? from);
  expect(row.role).toBe(by === 'change_role' && to ? 'admin' : 'viewer');
});

it('gives another workspace no way to an invite or a member', async () => {
  const story = await buildInvite();
  const { id: memberId, workspaceId } = await buildMember(db);
  const stranger = { ...story.context, actor: systemActor, scope: { workspaceId } };
  for (const by of memberInviteTriggers) await statements[by]({ ...story, context: stranger });
  expect(await rowOf(story)).toMatchObject({ acceptedAt: null, withdrawnAt: null, role: 'viewer' });

  for (const id of [story.invite.id, story.context.actor.id as string]) {
    const notFound = { code: 'NOT_FOUND' };
    await expect(removeMember(db, stranger, { memberId: id })).rejects.toMatchObject(notFound);
    const command = { memberId: id, role: 'admin' } as const;
    await expect(changeRole(db, stranger, command)).rejects.toMatchObject(notFound);
  }
  expect(memberId).not.toBe(story.context.actor.id);
});

it('lets an acceptance finish while a withdrawal waits for it, without a deadlock', async () => {
  const story = await buildInvite();
  const { context, invite } = story;
  const { workspaceId } = context.scope;
  let withdrawal: Promise<unknown> = Promise.resolve();
  await transaction(db, async (tx) => {
    await endInvite(tx, context, { inviteId: invite.id, trigger: 'accept' });
    withdrawal = removeMember(db, context, { memberId: invite.id });
    withdrawal.catch(() => undefined);
    await eventually(async () => ((await countFrom(db, waiting)) === 1 ? true : undefined));
    const member = { ...invite, workspaceId, name: 'Max', passwordHash: '' };
    await insertMerchant(tx, context, member);
  });
  await expect(withdrawal).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await rowOf(story)).toMatchObject({ acceptedAt: context.now, withdrawnAt: null });
});

it('changes no role of an invite that is accepted at that moment, and says so', async () => {
  const story = await buildInvite();
  const { context, invite } = story;
  let change: Promise<unknown> = Promise.resolve();
  await transaction(db, async (tx) => {
    await endInvite(tx, context, { inviteId: invite.id, trigger: 'accept' });
    change = changeRole(db, context, { memberId: invite.id, role: 'owner' });
    change.catch(() => undefined);
    await eventually(async () => ((await countFrom(db, waiting)) === 1 ? true : undefined));
  });
  await expect(change).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await rowOf(story)).toMatchObject({ role: 'viewer' });
});

const waiting = `pg_stat_activity WHERE datname = current_database()
  AND wait_event_type = 'Lock' AND query LIKE '%UPDATE member_invites%'`;

it('answers INVITE_EXPIRED for an invite that was withdrawn', async () => {
  const { context, invite } = await buildInvite();
  await removeMember(db, context, { memberId: invite.id });
  const command = { token: invite.token, name: 'Max', password, origin };
  const passwords = createPasswordHasher(1).of('max');
  await expect(
    acceptMemberInvite({ db, vault, passwords }, context, command),
  ).rejects.toMatchObject({
    code: 'INVITE_EXPIRED',
  });
});
