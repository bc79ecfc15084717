import { clearSuspensionFlags } from '../../../activities/commissions/review-flags';
import { advanceCommission } from '../../../activities/commissions/advance';
import { decideCommission, elapseHold } from '../../../activities/commissions/decide';
import type { CommissionRecord } from '../../../activities/commissions/records';
import { Commission } from '../../../entities/tables/commissions/commission.entity';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import { query, transaction, type Db } from '../../../entities/database/sql';
import { buildCommission } from '../../support/build/commissions';
import { clearFlag, flagCommission } from '../../support/build/review-flags';
import { buildProgram } from '../../support/build/programs';
import { trailOf } from '../../support/stored/commission-trail';
import { useDatabase } from '../../support/data-source';
import { command, contextAt, later } from '../../support/build/decisions';
import { codeOf } from '../../support/build/payouts';
import { oneRow } from '../../support/rows';
import { update } from '../../../entities/database/update';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

describe('a new commission (commissions.md, Hold)', () => {
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
    const row = await oneRow(db, Commission, { id: commission.id });
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
    await update(db, Participant, {
      where: { id: commission.participantId },
      set: { erasedAt: new Date() },
    });
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
    expect((await oneRow(db, Commission, { id })).status).toBe('pending');
    await clear('AMOUNT_OVER_LIMIT');
    expect((await oneRow(db, Commission, { id })).status).toBe('approved');
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

async function setStatus(commission: CommissionRecord, status: 'suspended' | 'approved') {
  await update(db, Participant, { where: { id: commission.participantId }, set: { status } });
}
