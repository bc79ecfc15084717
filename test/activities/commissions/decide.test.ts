import { clearSuspensionFlags } from '../../../activities/commissions/review-flags';
import { advanceCommission } from '../../../activities/commissions/advance';
import {
  createDecisionBatch,
  decideCommission,
  decideCommissions,
  elapseHold,
} from '../../../activities/commissions/decide';
import type { DecideCommand } from '../../../activities/commissions/decide';
import type { CommissionRecord } from '../../../activities/commissions/records';
import { Commission } from '../../../entities/tables/commissions/commission.entity';
import { newId } from '../../../entities/ids';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import type { Scope } from '../../../entities/rules/values/mode';
import { query, transaction, type Db } from '../../../entities/database/sql';
import { buildCommission } from '../../support/build/commissions';
import { clearFlag, flagCommission } from '../../support/build/review-flags';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { trailOf } from '../../support/stored/commission-trail';
import { asOwner } from '../../support/database';
import { openTestDataSource } from '../../support/data-source';
import type { TestDataSource } from '../../support/data-source';

let database: TestDataSource;
let db: Db;

beforeAll(async () => {
  database = await openTestDataSource(16);
  db = database.source.manager;
});
afterAll(() => database.close());

const day = 86_400_000;
const later = (days: number) => new Date(Date.now() + days * day);
const member = { type: 'member', id: newId() } as const;

function command(commission: CommissionRecord, decision: DecideCommand['decision']): DecideCommand {
  const { id, programId } = commission;
  const reason = decision === 'approve' ? null : 'because';
  return { programId, commissionId: id, decision, reason };
}

const scopeOf = ({ workspaceId, mode }: Scope): Scope => ({ workspaceId, mode });
const contextAt = (scope: Scope, now: Date) => ({ scope: scopeOf(scope), actor: member, now });

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );

describe('a new commission', () => {
  it('is pending with its accrual, its history and its event', async () => {
    const commission = await buildCommission(db);
    expect(commission).toMatchObject({ status: 'pending', amountCents: 2_000, owedCents: 2_000 });
    expect(await trailOf(db, commission.id)).toEqual({
      history: ['>pending created'],
      ledger: ['accrual 2000'],
      owed: 2_000,
      events: ['commission.created'],
    });
  });

  it('is approved at once when nothing holds it', async () => {
    const commission = await buildCommission(db, { terms: { holdDays: 0 } });
    expect(commission).toMatchObject({
      status: 'approved',
      holdUntil: null,
      decidedByType: 'system',
    });
    const trail = await trailOf(db, commission.id);
    expect(trail.history).toEqual(['>pending created', 'pending>approved hold_elapsed']);
    expect(trail.events).toEqual(['commission.created', 'commission.approved']);
  });

  it('waits without a hold when it is flagged', async () => {
    const commission = await buildCommission(db, { terms: { holdDays: 0, basis: 'net' } });
    expect(commission).toMatchObject({ status: 'pending', reviewReasons: ['FEE_UNKNOWN'] });
  });

  it('asks for a lifecycle only when there is something to wait for', async () => {
    const waiting = await buildCommission(db);
    const done = await buildCommission(db, { terms: { holdDays: 0 } });
    const rows = await query<{ ref: string }>(
      db,
      "SELECT ref FROM outbox WHERE topic = 'commission' AND ref = ANY($1)",
      [[waiting.id, done.id]],
    );
    expect(rows).toEqual([{ ref: waiting.id }]);
  });
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
      // Approved before it was rejected, or rejected before the hold could end.
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
      { commissionId: done.id, code: 'COMMISSION_NOT_PENDING' },
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
    const approved = outcomes.flat().filter((result) => result.status === 'approved');
    expect(approved).toHaveLength(100);
    expect(new Set(approved.map((result) => result.commissionId)).size).toBe(100);
  });
});

describe('the end of the hold', () => {
  it('approves once, however often it is asked for', async () => {
    const commission = await buildCommission(db);
    await Promise.all(
      Array.from({ length: 5 }, () =>
        advanceCommission(db, { now: later(31) }, { commissionId: commission.id }),
      ),
    );
    const trail = await trailOf(db, commission.id);
    expect(trail.history).toEqual(['>pending created', 'pending>approved hold_elapsed']);
  });

  it('does nothing before', async () => {
    const commission = await buildCommission(db);
    expect(
      (await advanceCommission(db, { now: later(29) }, { commissionId: commission.id }))?.status,
    ).toBe('pending');
  });

  it('flags the commission of a suspended partner, and reinstating approves it', async () => {
    const commission = await buildCommission(db);
    await setStatus(commission, 'suspended');
    const flagged = await advanceCommission(
      db,
      { now: later(31) },
      { commissionId: commission.id },
    );
    expect(flagged).toMatchObject({ status: 'pending', reviewReasons: ['PARTNER_SUSPENDED'] });

    await setStatus(commission, 'approved');
    const { participantId } = commission;
    await transaction(db, (tx) =>
      clearSuspensionFlags(tx, contextAt(commission, later(32)), { participantId }),
    );
    const row = await db.findOneByOrFail(Commission, { id: commission.id });
    expect(row).toMatchObject({ status: 'approved', reviewReasons: [] });
    const trail = await trailOf(db, commission.id);
    expect(trail.events.slice(1)).toEqual([
      'commission.updated',
      'commission.updated',
      'commission.approved',
    ]);
  });

  it('leaves the commission of an erased partner pending', async () => {
    const commission = await buildCommission(db);
    await db.update(Participant, { id: commission.participantId }, { erasedAt: new Date() });
    const row = await advanceCommission(db, { now: later(31) }, { commissionId: commission.id });
    expect(row).toMatchObject({ status: 'pending', holdElapsed: true });
    const context = contextAt(commission, later(31));
    const approval = decideCommission(db, context, command(commission, 'approve'));
    expect(await codeOf(approval)).toBe('PARTICIPANT_ERASED');
  });

  it('comes early by hand in test mode only', async () => {
    const program = await buildProgram(db, { mode: 'test' });
    const commission = await buildCommission(db, { program });
    const context = contextAt(commission, later(1));
    const ended = await elapseHold(db, context, command(commission, 'approve'));
    expect(ended).toMatchObject({ status: 'approved', holdUntil: context.now });
    const live = await buildCommission(db);
    const ofLive = elapseHold(db, contextAt(live, later(1)), command(live, 'approve'));
    expect(await codeOf(ofLive)).toBe('FORBIDDEN');
  });
});

describe('flags', () => {
  it('hold up the automatic approval until the last of them goes', async () => {
    const commission = await buildCommission(db, { reviewReasons: ['FRAUD_SUSPECTED'] });
    const { id } = commission;
    await transaction(db, (tx) =>
      flagCommission(tx, { commissionId: id, reason: 'AMOUNT_OVER_LIMIT' }, later(1)),
    );
    expect((await advanceCommission(db, { now: later(31) }, { commissionId: id }))?.status).toBe(
      'pending',
    );
    const clear = (reason: 'FRAUD_SUSPECTED' | 'AMOUNT_OVER_LIMIT') =>
      transaction(db, (tx) => clearFlag(tx, { commissionId: id, reason }, later(32)));
    await clear('FRAUD_SUSPECTED');
    expect((await db.findOneByOrFail(Commission, { id })).status).toBe('pending');
    await clear('AMOUNT_OVER_LIMIT');
    expect((await db.findOneByOrFail(Commission, { id })).status).toBe('approved');
  });

  it('go with a manual approval, all but a dispute', async () => {
    const commission = await buildCommission(db, {
      reviewReasons: ['FRAUD_SUSPECTED', 'DISPUTED'],
    });
    const context = contextAt(commission, later(31));
    const approved = await decideCommission(db, context, command(commission, 'approve'));
    expect(approved).toMatchObject({ reviewReasons: ['DISPUTED'], needsReview: true });
  });
});

describe('ledger and history', () => {
  it.each(['ledger_entries', 'commission_history'])(
    'of %s take no update or delete',
    async (table) => {
      await buildCommission(db);
      const change = (statement: string) => asOwner(database.url, statement);
      await expect(change(`DELETE FROM ${table}`)).rejects.toThrow('append-only');
      await expect(change(`UPDATE ${table} SET mode = mode`)).rejects.toThrow('append-only');
    },
  );

  it('are purged by a transaction that says so first', async () => {
    const commission = await buildCommission(db);
    await asOwner(
      database.url,
      `BEGIN; SET LOCAL app.purge = 'on';
       DELETE FROM ledger_entries WHERE commission_id = '${commission.id}'; COMMIT`,
    );
    expect((await trailOf(db, commission.id)).ledger).toEqual([]);
  });
});

async function setStatus(commission: CommissionRecord, status: 'suspended' | 'approved') {
  await db.update(Participant, { id: commission.participantId }, { status });
}

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
