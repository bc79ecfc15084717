import type { Db } from '../../../entities/database/sql';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { relayHandlers } from '../../../workers/relay/handlers';
import { useApp } from '../../support/app';
import {
  buildMember,
  buildPartner,
  type BuiltMember,
  type BuiltPartner,
} from '../../support/build/accounts';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { relayOnce } from '../../support/workers/relay-once';

const app = useApp();
let db: Db;
let owner: BuiltMember;
let partner: BuiltPartner;
let program: Program;
let programId: string;

const start = new Date('2026-01-31T09:30:00.000Z');
const minutesLater = (minutes: number): void =>
  app.deps.clock.set(new Date(start.getTime() + minutes * 60_000));

beforeAll(() => {
  db = app.deps.db.manager;
});
beforeEach(async () => {
  app.deps.clock.set(start);
  owner = await buildMember(db);
  partner = await buildPartner(db);
  const { workspaceId } = owner;
  program = await buildProgram(db, { workspaceId, name: 'Tea', currency: 'eur' });
  await buildParticipant(db, { program, partnerId: partner.id, partnerEmail: partner.email });
  programId = program.id;
});
afterEach(() => app.deps.clock.set(undefined));

// The owner signs in anew each time: a token does not last as long as these stories.
const edit = async (fields: object) =>
  (await callerOf(app, owner)).patch(`/api/v1/programs/${programId}`, fields);
const setMinimum = (minPayoutCents: number) => edit({ minPayoutCents });
const relay = (): Promise<number> =>
  relayOnce(app.deps, 'terms_changed', relayHandlers(app.deps).terms_changed);
interface Feed {
  data: { type: string; title: string; body: string; data: object }[];
}
const told = async (by = partner) => {
  const portal = await callerOf(app, by);
  const { body } = await portal.get<Feed>('/api/v1/partner/notifications');
  return body.data.filter(({ type }) => type === 'program.terms_changed');
};

describe('a least payout that is raised (programmes.md, Terms)', () => {
  it('is told to the approved partners, ten minutes after the edit', async () => {
    const pending = await buildPartner(db);
    await buildParticipant(db, { program, partnerId: pending.id, status: 'pending' });
    expect((await setMinimum(5_000)).status).toBe(200);
    minutesLater(9);
    expect(await relay()).toBe(0);
    minutesLater(10);
    expect(await relay()).toBe(1);
    expect(await told()).toMatchObject([
      {
        title: 'Tea pays from EUR 50.00 on',
        body: expect.stringContaining('Until now it paid any amount.'),
        data: { programId },
      },
    ]);
    expect(await told(pending)).toEqual([]);
  });

  it('is told once for edits that follow each other, from before the first', async () => {
    await setMinimum(1_000);
    minutesLater(10);
    await relay();
    await setMinimum(2_000);
    minutesLater(15);
    await setMinimum(3_000);
    minutesLater(20);
    expect(await relay()).toBe(1);
    minutesLater(25);
    expect(await relay()).toBe(1);
    const [notice, ...others] = await told();
    expect(notice).toMatchObject({
      title: 'Tea pays from EUR 30.00 on',
      body: expect.stringContaining('Until now it paid from EUR 10.00 on.'),
    });
    expect(others).toHaveLength(1);
  });

  it('names what was before all edits that are relayed together, whichever comes first', async () => {
    await setMinimum(1_000);
    minutesLater(1);
    await setMinimum(2_000);
    // The two change places, as a claim may hand them out: the later edit first.
    await db.query(
      `UPDATE outbox SET payload = payload
              || jsonb_build_object('formerlyCents', 1000 - (payload->>'formerlyCents')::int)
        WHERE topic = 'terms_changed' AND ref = $1`,
      [programId],
    );
    minutesLater(30);
    expect(await relay()).toBe(2);
    expect(await told()).toMatchObject([
      {
        title: 'Tea pays from EUR 20.00 on',
        body: expect.stringContaining('Until now it paid any amount.'),
      },
    ]);
  });

  it('is not told when it is taken back, or lowered, or when something else changes', async () => {
    await setMinimum(1_000);
    await setMinimum(0);
    await edit({ name: 'Coffee' });
    minutesLater(10);
    await relay();
    expect(await told()).toEqual([]);
    expect(await relay()).toBe(0);
  });
});
