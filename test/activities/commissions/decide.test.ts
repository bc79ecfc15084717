import { advanceCommission } from '../../../activities/commissions/advance';
import {
  createDecisionBatch,
  decideCommission,
  decideCommissions,
} from '../../../activities/commissions/decide';
import type { DecideCommand } from '../../../activities/commissions/decide';
import { newId } from '../../../entities/ids';
import type { Db } from '../../../entities/database/sql';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { trailOf } from '../../support/stored/commission-trail';
import { useDatabase } from '../../support/data-source';
import { command, contextAt, later, member } from '../../support/build/decisions';
import { codeOf } from '../../support/build/payouts';

const database = useDatabase(16);
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

describe('a decision', () => {
  it('approves after the hold and says who did', async () => {
    const commission = await buildCommission(db);
    const context = contextAt(commission, later(31));
    const approved = await decideCommission(db, context, command(commission, 'approve'));
    expect(approved).toMatchObject({
      status: 'approved',
      decidedByType: 'member',
      decidedById: member.id,
      partnerName: 'Anna Partner',
    });
    const trail = await trailOf(db, commission.id);
    expect(trail.history.at(-1)).toBe('pending>approved approve');
    expect(trail.events.at(-1)).toBe('commission.approved');
  });

  it('overrides the hold with a reason', async () => {
    const commission = await buildCommission(db);
    const context = contextAt(commission, later(1));
    const approved = await decideCommission(db, context, command(commission, 'approve_override'));
    expect(approved).toMatchObject({ status: 'approved', overrideReason: 'because' });
  });

  it('rejects with a reversal, from approved too', async () => {
    const commission = await buildCommission(db, { status: 'approved' });
    const context = contextAt(commission, later(1));
    const rejected = await decideCommission(db, context, command(commission, 'reject'));
    expect(rejected).toMatchObject({
      status: 'rejected',
      rejectionReason: 'because',
      owedCents: 0,
    });
    const trail = await trailOf(db, commission.id);
    expect(trail.ledger).toEqual(['accrual 2000', 'reversal -2000']);
  });

  it('is never dated before the change that it follows, though it was asked for sooner', async () => {
    const commission = await buildCommission(db);
    const change = (decision: DecideCommand['decision'], days: number) =>
      decideCommission(db, contextAt(commission, later(days)), command(commission, decision));
    const { updatedAt } = await change('approve_override', 2);
    const rejected = await change('reject', 1);
    expect(rejected.rejectedAt).toEqual(updatedAt);
    expect((await trailOf(db, commission.id)).history).toEqual([
      '>pending created',
      'pending>approved approve_override',
      'approved>rejected reject',
    ]);
  });

  it('is refused with the code of the rule, and then writes nothing', async () => {
    const commission = await buildCommission(db);
    const context = contextAt(commission, later(1));
    const refused = decideCommission(db, context, command(commission, 'approve'));
    expect(await codeOf(refused)).toBe('COMMISSION_HOLD_ACTIVE');
    expect((await trailOf(db, commission.id)).history).toHaveLength(1);
  });

  it('does not find a commission of another programme, workspace or mode', async () => {
    const commission = await buildCommission(db);
    const context = contextAt(commission, later(31));
    const right = command(commission, 'approve');
    const { scope } = context;
    const foreign = [
      [context, { ...right, programId: newId() }],
      [{ ...context, scope: { ...scope, workspaceId: newId() } }, right],
      [{ ...context, scope: { ...scope, mode: 'test' as const } }, right],
    ] as const;
    for (const [from, one] of foreign) {
      expect(await codeOf(decideCommission(db, from, one))).toBe('COMMISSION_NOT_FOUND');
    }
  });

  it('is made once when sixteen make it together', async () => {
    const commission = await buildCommission(db);
    const context = contextAt(commission, later(31));
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, () =>
        codeOf(decideCommission(db, context, command(commission, 'approve'))),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['ok', 'COMMISSION_NOT_PENDING']));
    expect((await trailOf(db, commission.id)).events).toHaveLength(2);
  });

  it('and the end of the hold leave one consistent history', async () => {
    for (let round = 0; round < 10; round += 1) {
      const commission = await buildCommission(db);
      const now = later(31);
      await Promise.all([
        codeOf(decideCommission(db, contextAt(commission, now), command(commission, 'reject'))),
        advanceCommission(db, { now }, { commissionId: commission.id }),
      ]);
      const { history, owed } = await trailOf(db, commission.id);
      // It was approved before it was rejected, or rejected before the hold could end.
      expect(history.at(-1)).toMatch(/>rejected reject$/);
      expect(owed).toBe(0);
    }
  });
});

describe('a bulk decision', () => {
  it('decides each by its own rule, in the order asked', async () => {
    const program = await buildProgram(db);
    const [due, done] = await Promise.all([
      buildCommission(db, { program, terms: { autoApprove: false, holdDays: 0 } }),
      buildCommission(db, { program, status: 'rejected' }),
    ]);
    const unknown = newId();
    const results = await decideCommissions(db, contextAt(program, new Date()), {
      programId: program.id,
      commissionIds: [unknown, done.id, due.id],
      decision: 'approve',
      reason: null,
    });
    expect(results).toEqual([
      { commissionId: unknown, code: 'COMMISSION_NOT_FOUND' },
      { commissionId: done.id, status: 'rejected', code: 'COMMISSION_NOT_PENDING' },
      { commissionId: due.id, status: 'approved' },
    ]);
  });

  it('of eight at once over the same hundred never dead-locks and decides each once', async () => {
    const participant = await buildParticipant(db);
    const { programId } = participant;
    const ids: string[] = [];
    for (let n = 0; n < 100; n += 1) {
      const terms = { autoApprove: false, holdDays: 0 };
      ids.push((await buildCommission(db, { participant, terms })).id);
    }
    const context = contextAt(participant, new Date());
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const commissionIds = n % 2 ? [...ids].reverse() : ids;
        const bulk = { programId, commissionIds, decision: 'approve', reason: null } as const;
        return decideCommissions(db, context, bulk);
      }),
    );
    const approved = outcomes.flat().filter(({ code }) => code === undefined);
    expect(approved).toHaveLength(100);
    expect(new Set(approved.map((result) => result.commissionId)).size).toBe(100);
  });
});

it('of a hundred equal decisions at once one wins and each other learns why not', async () => {
  const commission = await buildCommission(db);
  const batch = createDecisionBatch(db);
  const context = contextAt(commission, later(31));
  const codes = await Promise.all(
    Array.from({ length: 100 }, () =>
      codeOf(batch.decide(context, command(commission, 'approve'))),
    ),
  );
  expect(codes.filter((code) => code === 'ok')).toHaveLength(1);
  expect(codes.filter((code) => code === 'COMMISSION_NOT_PENDING')).toHaveLength(99);
});
