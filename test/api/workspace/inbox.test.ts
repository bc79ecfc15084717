import { execute } from '../../../entities/database/sql';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildFraudFlag } from '../../support/build/fraud-flags';
import { payoutsOn } from '../../support/build/payouts';
import {
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { buildStripeEvents } from '../../support/build/stripe-events';
import { buildEndpoint, buildEvent } from '../../support/build/webhooks';
import { callerOf } from '../../support/callers';

const app = useApp();

const db = () => app.deps.db.manager;
const payouts = payoutsOn(db);
const nothing = {
  applications: 0,
  review: 0,
  fraudFlags: 0,
  deadLetters: 0,
  stripeFailures: 0,
  billerFailures: 0,
  payoutsProcessing: 0,
  payoutAttention: 0,
  debts: 0,
};

/** Each kind with one that waits and one that does not; the names are those of the counts. */
const waiting: Record<
  keyof typeof nothing,
  (participant: BuiltParticipant, program: Program) => Promise<void>
> = {
  async applications(_, program) {
    await buildParticipant(db(), { program, status: 'pending' });
    await buildParticipant(db(), { program, status: 'pending', erasedAt: new Date() });
    await buildParticipant(db(), { program, status: 'rejected' });
  },
  async review(participant) {
    await buildCommission(db(), { participant, reviewReasons: ['AMOUNT_OVER_LIMIT'] });
    await buildCommission(db(), { participant });
  },
  async fraudFlags(participant) {
    const open = await buildCommission(db(), { participant });
    await buildFraudFlag(db(), participant, open.conversionId);
    const over = await buildCommission(db(), { participant, status: 'approved' });
    await buildFraudFlag(db(), participant, over.conversionId);
    const judged = await buildCommission(db(), { participant });
    const { id } = await buildFraudFlag(db(), participant, judged.conversionId);
    await execute(
      db(),
      `UPDATE fraud_flags SET state = 'dismissed', resolved_at = now() WHERE id = $1`,
      [id],
    );
  },
  async deadLetters({ workspaceId, mode }) {
    const scope = { workspaceId, mode };
    const [kept, deleted] = [
      await buildEndpoint(app.deps, scope),
      await buildEndpoint(app.deps, scope),
    ];
    await buildEvent(app.deps, scope);
    await execute(
      db(),
      `UPDATE webhook_deliveries SET status = 'dead_letter', next_attempt_at = NULL
        WHERE endpoint_id = ANY ($1)`,
      [[kept.id, deleted.id]],
    );
    await execute(db(), 'UPDATE webhook_endpoints SET deleted_at = now() WHERE id = $1', [
      deleted.id,
    ]);
    await buildEvent(app.deps, scope);
  },
  async billerFailures({ workspaceId, mode }) {
    const scope = { workspaceId, mode };
    await buildStripeEvents(db(), scope, [
      { status: 'failed', receivedAt: new Date(), biller: 'paddle' },
    ]);
  },
  async stripeFailures({ workspaceId, mode }) {
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await buildStripeEvents(db(), { workspaceId, mode }, [
      { status: 'failed', receivedAt: hoursAgo(0) },
      { status: 'waiting', receivedAt: hoursAgo(23) },
      { status: 'processed', receivedAt: hoursAgo(48) },
    ]);
  },
  async payoutsProcessing(participant) {
    await payouts.approved(participant);
    await payouts.create(participant);
    await payouts.approved(participant);
    const { id } = await payouts.create(participant);
    await payouts.complete(participant, id);
  },
  async payoutAttention(participant) {
    await payouts.approved(participant);
    const { id } = await payouts.create(participant);
    await payouts.complete(participant, id);
    await execute(
      db(),
      `UPDATE payout_items SET attention_reason = 'vanished', attention_at = now() WHERE payout_id = $1`,
      [id],
    );
  },
  async debts(participant) {
    const commission = await payouts.approved(participant);
    const { id } = await payouts.create(participant);
    await payouts.complete(participant, id);
    await payouts.refund(commission, 5_000);
  },
};

describe('GET /api/v1/workspace/inbox', () => {
  it.each(Object.keys(waiting) as (keyof typeof nothing)[])(
    'counts %s that wait, of the mode and workspace',
    async (kind) => {
      const program = await buildProgram(db());
      const participant = await buildParticipant(db(), { program });
      const viewer = await buildMember(db(), { workspaceId: program.workspaceId, role: 'viewer' });
      const other = await buildMember(db(), { role: 'viewer' });
      const inbox = async (member = viewer, mode: 'live' | 'test' = 'live') =>
        (await (await callerOf(app, member, mode)).get('/api/v1/workspace/inbox')).body;

      expect(await inbox()).toEqual(nothing);
      await waiting[kind](participant, program);
      expect(await inbox()).toEqual({ ...nothing, [kind]: 1 });
      expect(await inbox(viewer, 'test')).toEqual(nothing);
      expect(await inbox(other)).toEqual(nothing);
    },
  );
});

describe('what waits, by programme (accounts.md, What waits and where)', () => {
  const ofPrograms = [
    'applications',
    'review',
    'fraudFlags',
    'payoutsProcessing',
    'payoutAttention',
    'debts',
  ] as const;

  it('counts each kind of one programme, and nothing of its neighbour', async () => {
    const program = await buildProgram(db());
    const { workspaceId } = program;
    const neighbour = await buildProgram(db(), { workspaceId });
    const participant = await buildParticipant(db(), { program });
    const viewer = await buildMember(db(), { workspaceId, role: 'viewer' });
    const caller = await callerOf(app, viewer, 'live');
    for (const kind of Object.values(waiting)) await kind(participant, program);

    const inbox = async ({ id }: Program) =>
      (await caller.get(`/api/v1/workspace/inbox?programId=${id}`)).body;
    const { body: all } = await caller.get<typeof nothing>('/api/v1/workspace/inbox');
    const { deadLetters, stripeFailures, billerFailures, ...inProgram } = all;
    expect({ deadLetters, stripeFailures, billerFailures }).toEqual({
      deadLetters: 1,
      stripeFailures: 1,
      billerFailures: 1,
    });
    expect(await inbox(program)).toEqual({ ...nothing, ...inProgram });
    expect(await inbox(neighbour)).toEqual(nothing);

    type Place = { kind: keyof typeof nothing; programId: string | null; count: number };
    const places = async (query: string) =>
      (await caller.get<{ data: Place[] }>(`/api/v1/workspace/inbox/places?${query}`)).body.data;
    const listed = await places('limit=100');
    const counts = listed.map(({ kind, count }) => [kind, count]);
    expect(Object.fromEntries(counts)).toEqual({ ...inProgram, deadLetters });
    expect(counts.map(([, count]) => count)).toEqual(
      counts.map(([, count]) => Number(count)).toSorted((a, b) => b - a),
    );
    for (const { kind, programId } of listed) {
      expect([kind, programId]).toEqual([kind, kind === 'deadLetters' ? null : program.id]);
    }
    expect(await places(`programId=${neighbour.id}`)).toEqual([]);
    const own = await places(`programId=${program.id}`);
    expect(own.map(({ kind }) => kind).toSorted()).toEqual([...ofPrograms].toSorted());
    expect(await places('kind=debts')).toMatchObject([{ kind: 'debts', name: program.name }]);
  });

  it('knows no programme of another workspace', async () => {
    const { id } = await buildProgram(db());
    const caller = await callerOf(app, await buildMember(db(), { role: 'viewer' }), 'live');
    for (const path of ['inbox', 'inbox/places']) {
      const { status, body } = await caller.get(`/api/v1/workspace/${path}?programId=${id}`);
      expect([path, status, body['code']]).toEqual([path, 403, 'FORBIDDEN']);
    }
  });
});
