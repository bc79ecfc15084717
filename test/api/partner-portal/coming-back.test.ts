import { lockSubject } from '../../../activities/erasure/lock';
import type { ParticipantDto } from '../../../api/participants/participants.dto';
import { newId } from '../../../entities/ids';
import type { ParticipantStatus } from '../../../entities/rules/partners/participant-status';
import { systemActor } from '../../../entities/rules/values/actor';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildApiKey, buildPartner } from '../../support/build/accounts';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { tokenIn } from '../../support/stored/mails';

const app = useApp();

type Answer = ParticipantDto & Record<string, unknown>;

/** A programme that takes everybody at once, and somebody who erased their account with that status there. */
async function departed(status: ParticipantStatus, { owes = 0, kind = 'account' } = {}) {
  const { manager } = app.deps.db;
  const program = await buildProgram(manager, { mode: 'live', approvalMode: 'auto' });
  const { workspaceId } = program;
  const { key } = await buildApiKey(manager, { kind: 'management', mode: 'live', workspaceId });
  const before = await buildPartner(manager);
  const { email } = before;
  const own = { partnerId: before.id, partnerEmail: email, status };
  const participant = await buildParticipant(manager, { program, ...own });
  if (owes > 0) {
    const adjustments = `/api/v1/programs/${program.id}/partners/${participant.id}/adjustments`;
    const debt = { amountCents: -owes, reason: 'Paid twice' };
    expect((await app.client.as(key).post(adjustments, debt)).status).toBe(201);
  }
  const cause = { actor: systemActor, now: new Date() };
  const subjectId = kind === 'account' ? before.id : participant.id;
  const lock = { erasureId: newId(), kind: kind as 'account', subjectId };
  await lockSubject(app.deps, cause, lock);
  if (kind !== 'account') {
    const account = { ...lock, erasureId: newId(), kind: 'account', subjectId: before.id } as const;
    await lockSubject(app.deps, cause, account);
  }
  const merchant = app.client.as(key);
  const path = `/api/v1/programs/${program.id}/partners`;
  const read = async (id: string) => (await merchant.get<ParticipantDto>(`${path}/${id}`)).body;
  const comeBack = async () => {
    const partner = await buildPartner(manager, { email });
    const me = await callerOf(app, partner, 'live');
    const apply = () => me.post<Answer>(`/api/v1/partner/programs/${program.id}/applications`);
    return { me, apply };
  };
  const invite = async () => {
    const body = { email };
    const invitesPath = `/api/v1/programs/${program.id}/invites`;
    const answer = await merchant.post<{ inviteUrl: string }>(invitesPath, body);
    return { token: tokenIn(answer.body.inviteUrl) };
  };
  const add = () => merchant.post<Answer>(path, { email, name: 'Given' });
  return { merchant, path, read, comeBack, invite, add };
}

describe('who erased their account and comes back with the same address', () => {
  it.each([
    ['suspended', 0],
    ['rejected', 0],
    ['approved', 2_000],
  ] as const)('%s and owing %d is pending, and the merchant reads why', async (status, owes) => {
    const { read, comeBack, merchant, path } = await departed(status, { owes });
    const { apply } = await comeBack();
    const applied = await apply();
    expect([applied.status, applied.body.status]).toEqual([201, 'pending']);
    // What a merchant remembers is the merchant's.
    expect(applied.body.earlier).toBeNull();
    const debts = owes > 0 ? [{ currency: 'usd', amountCents: owes }] : [];
    expect((await read(applied.body.id)).earlier).toEqual({ status, debts });
    const approved = await merchant.patch(`${path}/${applied.body.id}/approve`);
    expect(approved.body).toMatchObject({ status: 'approved', earlier: { status, debts } });
  });

  it('is taken at once where nothing is open', async () => {
    const { comeBack, read } = await departed('approved');
    const applied = await (await comeBack()).apply();
    expect(applied.body.status).toBe('approved');
    expect((await read(applied.body.id)).earlier).toBeNull();
  });

  it('is pending by an invite too, and by leaving and accepting again', async () => {
    const { comeBack, invite, read } = await departed('suspended');
    const { me } = await comeBack();
    const accept = async () => me.post<Answer>('/api/v1/partner/invites/accept', await invite());
    const joined = await accept();
    expect([joined.status, joined.body.status]).toEqual([201, 'pending']);
    expect((await read(joined.body.id)).earlier).toEqual({ status: 'suspended', debts: [] });
    expect((await accept()).body.status).toBe('pending');
    await me.post(`/api/v1/partner/programs/${joined.body.programId}/leave`);
    expect((await accept()).body.status).toBe('pending');
  });

  it('is pending when a server names the address, which puts nobody back who left in peace', async () => {
    const suspended = await departed('suspended');
    const added = await suspended.add();
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ status: 'pending', earlier: { status: 'suspended' } });
    const peaceful = await departed('approved');
    expect(codeOf(await peaceful.add())).toEqual([409, 'PARTICIPANT_ERASED']);
  });

  it('stays out where a merchant erased the participation', async () => {
    const { comeBack, add } = await departed('approved', { kind: 'participant' });
    expect(codeOf(await (await comeBack()).apply())).toEqual([409, 'PARTICIPANT_ERASED']);
    expect(codeOf(await add())).toEqual([409, 'PARTICIPANT_ERASED']);
  });
});
