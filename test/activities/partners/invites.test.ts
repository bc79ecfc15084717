import type { Cause, CommandContext } from '../../../activities/journal/cause';
import { erasePartnerInvites } from '../../../activities/erasure/invites';
import { acceptPartnerInvite } from '../../../activities/partners/accept-invite';
import {
  deletePartnerInvite,
  invitePartner,
  resendPartnerInvite,
} from '../../../activities/partners/invites';
import { deriveMailToken } from '../../../runtime/crypto/mail-tokens';
import { createVault } from '../../../runtime/crypto/vault';
import { queryOne, type Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import {
  inviteMoves,
  storedInviteStatuses,
  type InviteTrigger,
  type StoredInviteStatus,
} from '../../../entities/rules/partners/invite';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import { PartnerInvite } from '../../../entities/tables/partners/partner-invite.entity';
import { buildPartner } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';
import { oneRow } from '../../support/rows';
import { update } from '../../../entities/database/update';

const database = useDatabase();
let db: Db;
beforeAll(async () => {
  db = database.source.manager;
});

const cause: Cause = { actor: systemActor, now: new Date() };
const contextOf = ({ workspaceId, mode }: Scope): CommandContext => ({
  ...cause,
  scope: { workspaceId, mode },
});
const key = { id: 'k', key: Buffer.alloc(32, 1) };
const vault = createVault({
  encryptionKeys: [key],
  ipHashKeys: [key],
  contactHashKey: Buffer.alloc(32, 2),
} as Parameters<typeof createVault>[0]);

async function buildInvite(status: StoredInviteStatus = 'pending') {
  const program = await buildProgram(db);
  const partner = await buildPartner(db);
  const { id: programId } = program;
  const email = `${newId()}@partner.example`;
  const invite = await invitePartner(db, contextOf(program), { programId, email });
  await update(db, PartnerInvite, { where: { id: invite.id }, set: { status } });
  return { program, partner, invite };
}

type Story = Awaited<ReturnType<typeof buildInvite>>;

/** The command behind each trigger. */
const commands: Record<InviteTrigger, (story: Story) => Promise<unknown>> = {
  renew: ({ program, invite }) =>
    resendPartnerInvite(db, contextOf(program), { programId: program.id, inviteId: invite.id }),
  delete: ({ program, invite }) =>
    deletePartnerInvite(db, contextOf(program), { programId: program.id, inviteId: invite.id }),
  accept: ({ program, partner, invite }) => {
    const token = deriveMailToken(vault, { purpose: 'partner_invite', ...invite });
    const command = { token, partnerId: partner.id, mode: program.mode };
    return acceptPartnerInvite({ db, vault }, cause, command);
  },
  erase: ({ program, partner, invite }) =>
    erasePartnerInvites({ db, vault }, contextOf(program), {
      email: invite.email,
      partnerId: partner.id,
    }),
};

const statusOf = async ({ invite }: Story) =>
  (await oneRow(db, PartnerInvite, { id: invite.id })).status;

const triggers = Object.keys(commands) as InviteTrigger[];
const pairs = storedInviteStatuses.flatMap((from) =>
  triggers.map((trigger) => [from, trigger] as const),
);

it.each(pairs)('moves an invite that is %s by %s only where the table does', async (from, by) => {
  const story = await buildInvite(from);
  await Promise.allSettled([commands[by](story)]);
  expect(await statusOf(story)).toBe(inviteMoves[from][by]?.[0] ?? from);
});

const strangers = [
  ['another workspace', (): Partial<Scope> => ({ workspaceId: newId() }), ['erase']],
  // An erasure is of both modes.
  ['the other mode', (): Partial<Scope> => ({ mode: 'test' }), []],
] as const;

it.each(strangers)('gives %s no way to an invite', async (_name, otherwise, also) => {
  const story = await buildInvite();
  const program = { ...story.program, ...otherwise() };
  for (const by of ['renew', 'delete', ...also] as InviteTrigger[]) {
    await Promise.allSettled([commands[by]({ ...story, program })]);
  }
  const context = contextOf(program);
  await expect(
    invitePartner(db, context, { programId: program.id, email: story.invite.email }),
  ).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
  const row = await queryOne(
    db,
    'SELECT status, generation, email FROM partner_invites WHERE id = $1',
    [story.invite.id],
  );
  expect(row).toEqual({ status: 'pending', generation: 1, email: story.invite.email });
});
