import { execute } from '../../../entities/database/sql';
import { relayHandlers } from '../../../workers/relay/handlers';
import { useApp } from '../../support/app';
import { buildMember, buildPartner, testPassword as password } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { deliverQueued, mailsTo } from '../../support/stored/mails';
import { relayOnce } from '../../support/workers/relay-once';

const app = useApp();
afterEach(() => app.deps.clock.set(undefined));

const path = '/api/v1/workspace';
const now = new Date('2026-03-01T10:00:00.000Z');
const relay = (): Promise<number> =>
  relayOnce(app.deps, 'workspace_closing', relayHandlers(app.deps).workspace_closing);

interface Feed {
  data: { type: string; title: string; body: string; data: object }[];
}

async function story() {
  const db = app.deps.db.manager;
  app.deps.clock.set(now);
  const owner = await buildMember(db);
  const program = await buildProgram(db, {
    workspaceId: owner.workspaceId,
    name: 'Tea',
    currency: 'eur',
    mode: 'live',
  });
  const join = async () => {
    const partner = await buildPartner(db);
    const participant = await buildParticipant(db, {
      program,
      partnerId: partner.id,
      partnerEmail: partner.email,
    });
    return { partner, participant };
  };
  const told = async ({ partner }: Awaited<ReturnType<typeof join>>) => {
    const portal = await callerOf(app, partner);
    const { body } = await portal.get<Feed>('/api/v1/partner/notifications');
    return body.data.filter(({ type }) => type === 'program.closing').reverse();
  };
  const close = async () =>
    (await callerOf(app, owner)).delete(path, { body: { confirmation: 'DELETE', password } });
  const reopen = async () => (await callerOf(app, owner)).post(`${path}/reopen`, {});
  return { db, program, join, told, close, reopen };
}

describe('partners of a workspace that closes (notifications.md)', () => {
  it('are told the day and their sums at once where money waits, and again when it is taken back', async () => {
    const { db, program, join, told, close, reopen } = await story();
    const [owed, waiting, none] = [await join(), await join(), await join()];
    const approved = await buildCommission(db, { ...owed, program, status: 'approved' });
    const pending = await buildCommission(db, { ...waiting, program, status: 'pending' });
    const sum = (cents: number) => `USD ${(cents / 100).toFixed(2)}`;

    expect((await close()).status).toBe(200);
    expect(await relay()).toBe(1);
    const end = expect.stringContaining('On 2026-03-31');
    expect(await told(owed)).toMatchObject([
      { title: 'Tea will be closed', body: end, data: { programId: program.id } },
    ]);
    expect((await told(owed))[0]?.body).toContain(`${sum(approved.amountCents)} is owed to you.`);
    expect((await told(waiting))[0]?.body).toContain(`${sum(pending.amountCents)} is pending.`);
    expect(await told(none)).toEqual([]);
    // The first date stands when it is asked for again: nothing is told twice.
    await close();
    expect(await relay()).toBe(0);

    // Whoever lost what waited, has heard of the end all the same.
    await execute(db, `UPDATE commissions SET owed_cents = 0, status = 'rejected' WHERE id = $1`, [
      pending.id,
    ]);
    expect((await reopen()).status).toBe(200);
    expect(await relay()).toBe(1);
    for (const one of [owed, waiting]) {
      expect((await told(one)).map(({ title }) => title)).toEqual([
        'Tea will be closed',
        'Tea will not be closed',
      ]);
    }
    expect(await told(none)).toEqual([]);
    await deliverQueued(app.deps);
    expect((await mailsTo(owed.partner.email)).map(({ subject }) => subject).sort()).toEqual([
      expect.stringMatching(/ will be closed$/),
      expect.stringMatching(/ will not be closed$/),
    ]);
  });

  it('hear only that it goes on when the end was taken back before it was told', async () => {
    const { db, program, join, told, close, reopen } = await story();
    const one = await join();
    await buildCommission(db, { ...one, program, status: 'approved' });
    await close();
    await reopen();
    await relay();
    expect((await told(one)).map(({ title }) => title)).toEqual(['Tea will not be closed']);
  });
});
