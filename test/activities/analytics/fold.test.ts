import { foldAll } from '../../support/stored/fold-all';
import { foldAnalytics } from '../../../activities/analytics/fold';
import { rebuildAnalytics } from '../../../activities/analytics/rebuild';
import { dropOrphans, findDrift } from '../../../activities/analytics/reconcile';
import { refundConversion } from '../../../activities/purchases/refund';
import { countFrom, execute, query, queryOne, type Db } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { buildSales, buildVisits } from '../../support/build/figures';
import { buildParticipant, type BuiltParticipant } from '../../support/build/programs';
import { asOwner } from '../../support/database';
import { useDatabase } from '../../support/data-source';
import { holdTransaction } from '../../support/postgres/held-transaction';

const database = useDatabase();
let db: Db;
let participant: BuiltParticipant;

beforeAll(async () => {
  db = database.source.manager;
});
beforeEach(async () => {
  participant = await buildParticipant(db);
});

const at = new Date('2026-03-05T10:07:00Z');
const visits = (count: number) => Array.from({ length: count }, () => ({ participant, at }));

/** What readers see: sums of this programme, by measure. */
async function shown(): Promise<Record<string, number>> {
  const rows = await query<{ measure: string; value: number }>(
    db,
    `SELECT measure, sum(value)::bigint AS value FROM (
       SELECT measure, value FROM analytics_totals WHERE program_id = $1 AND minutes = 15
       UNION ALL SELECT measure, value FROM analytics_unfolded(ARRAY[$1::uuid])) AS figure
      GROUP BY 1 HAVING sum(value) <> 0 ORDER BY 1`,
    [participant.programId],
  );
  return Object.fromEntries(rows.map(({ measure, value }) => [measure, value]));
}

/** The kinds of sums, which must always agree. */
async function kept(): Promise<Record<string, number | null>> {
  const of = (table: string, minutes: number): string =>
    `(SELECT sum(value)::bigint FROM ${table} WHERE program_id = $1 AND minutes = ${minutes})`;
  const row = await queryOne<Record<string, number | null>>(
    db,
    `SELECT ${of('analytics_rollups', 15)} AS quarters, ${of('analytics_rollups', 1440)} AS days,
            ${of('analytics_totals', 15)} AS "totalQuarters",
            ${of('analytics_totals', 1440)} AS "totalDays",
            ${of('analytics_rollups', 43200)} AS months,
            ${of('analytics_totals', 43200)} AS "totalMonths"`,
    [participant.programId],
  );
  return row ?? {};
}

const all = (value: number | null) => ({
  quarters: value,
  days: value,
  totalQuarters: value,
  totalDays: value,
  months: value,
  totalMonths: value,
});

describe('a fold', () => {
  it('changes nothing of what readers see, and leaves nothing to fold', async () => {
    await buildVisits(db, visits(7));
    await buildSales(db, [
      { participant, at, amountCents: 500, flags: ['bot_click'] },
      {
        participant,
        at,
        amountCents: 900,
        currency: 'eur',
        isRejected: true,
        flags: ['bot_click'],
      },
    ]);
    const figures = { clicks: 7, conversions: 1, fraud_flags: 2, 'revenue:usd': 500 };
    expect(await shown()).toEqual(figures);
    expect(await kept()).toEqual(all(null));

    expect(await foldAll(db)).toBeGreaterThanOrEqual(11);
    expect(await shown()).toEqual(figures);
    expect(await kept()).toEqual(all(510));
    expect(await foldAll(db)).toBe(0);
  });

  it('goes on in bounded turns, each once, while others fold as well', async () => {
    for (let batch = 0; batch < 12; batch += 1) await buildVisits(db, visits(10));
    await Promise.all(Array.from({ length: 6 }, () => foldAnalytics(db, 25)));
    await foldAll(db, 25);
    expect(await shown()).toEqual({ clicks: 120 });
    expect(await kept()).toEqual(all(120));
  });

  it('waits for a transaction that began before and commits after', async () => {
    const late = await holdTransaction(db);
    await buildVisits(late.tx, visits(3));
    await buildVisits(db, visits(2));
    await foldAnalytics(db);
    expect(await shown()).toEqual({ clicks: 2 });
    await late.commit();
    expect(await shown()).toEqual({ clicks: 5 });
    await foldAll(db);
    expect(await shown()).toEqual({ clicks: 5 });
    expect(await kept()).toEqual(all(5));
  });

  it('that dies half-way has done nothing', async () => {
    await buildVisits(db, visits(4));
    await buildSales(db, [{ participant, at, amountCents: 100 }]);
    await asOwner(
      database.url,
      `ALTER TABLE analytics_totals ADD CONSTRAINT ck_death CHECK (program_id <> '${participant.programId}')`,
    );
    await expect(foldAnalytics(db)).rejects.toThrow('ck_death');
    expect(await kept()).toEqual(all(null));
    await asOwner(database.url, 'ALTER TABLE analytics_totals DROP CONSTRAINT ck_death');

    await foldAll(db);
    expect(await kept()).toEqual(all(4 + 1 + 100));
  });

  it('takes refunds off on the day of the sale', async () => {
    const [conversionId = ''] = await buildSales(db, [{ participant, at, amountCents: 1_000 }]);
    await foldAll(db);
    const { workspaceId, mode } = participant;
    await refundConversion(
      db,
      { scope: { workspaceId, mode }, actor: systemActor, requestId: 'r', now: new Date() },
      { conversionId, externalRefundId: 'r1', amountCents: 400, reason: null },
    );
    const figures = { conversions: 1, 'revenue:usd': 600 };
    expect(await shown()).toEqual(figures);
    await foldAll(db);
    expect(await shown()).toEqual(figures);
    expect(await findDrift(db, new Date('2026-03-05T10:00:00Z'))).toEqual([]);
  });
});

describe('a rebuild', () => {
  it('mends the days of a range, and leaves what is unfolded to the next fold', async () => {
    const other = new Date('2026-04-01T00:00:00Z');
    await buildVisits(db, [...visits(5), { participant, at: other }]);
    await buildSales(db, [{ participant, at, amountCents: 70 }]);
    await foldAll(db);
    await execute(db, 'UPDATE analytics_totals SET value = value + 1 WHERE program_id = $1', [
      participant.programId,
    ]);
    expect(await findDrift(db, new Date('2026-03-05T10:00:00Z'))).toHaveLength(3);

    await buildVisits(db, visits(2));
    await buildSales(db, [{ participant, at, amountCents: 30 }]);
    const range = { since: new Date('2026-03-05'), before: new Date('2026-03-06') };
    await rebuildAnalytics(db, range);
    // The first of April is not in the range: it is still wrong by one.
    expect(await shown()).toEqual({ clicks: 9, conversions: 2, 'revenue:usd': 100 });
    await rebuildAnalytics(db, { since: null, before: null });
    await foldAll(db);
    expect(await shown()).toEqual({ clicks: 8, conversions: 2, 'revenue:usd': 100 });
    expect(await kept()).toEqual(all(110));
  });

  it('keeps the sums of clicks that are past their time', async () => {
    await buildVisits(db, visits(3));
    await buildSales(db, [{ participant, at, amountCents: 50 }]);
    await foldAll(db);
    await asOwner(database.url, 'DELETE FROM clicks');
    await rebuildAnalytics(db, { since: null, before: null });
    expect(await shown()).toEqual({ clicks: 3, conversions: 1, 'revenue:usd': 50 });
  });

  it('keeps the sums of clicks of dropped months before the oldest row', async () => {
    await buildVisits(db, visits(3));
    await foldAll(db);
    await asOwner(database.url, 'DELETE FROM clicks');
    const later = new Date(at.getTime() + 60 * 86_400_000);
    await buildSales(db, [{ participant, at: later, amountCents: 50 }]);
    await buildVisits(db, [{ participant, at: later }]);
    await foldAll(db);
    await rebuildAnalytics(db, { since: null, before: null });
    expect(await shown()).toEqual({ clicks: 4, conversions: 1, 'revenue:usd': 50 });
  });

  it('is asked for after a restore into a server that counts its transactions anew', async () => {
    await buildVisits(db, visits(3));
    const before = await queryOne<{ now: number }>(
      db,
      'SELECT folded_before AS now FROM analytics_state',
    );
    await execute(db, 'UPDATE clicks SET recorded_in = recorded_in + 1000000000000');
    await execute(db, 'UPDATE analytics_state SET folded_before = 999000000000');
    await buildVisits(db, visits(2));
    await expect(foldAnalytics(db)).rejects.toThrow('rebuilt');

    await rebuildAnalytics(db, { since: new Date('2000-01-01'), before: new Date('2000-01-02') });
    await foldAll(db);
    expect(await shown()).toEqual({ clicks: 5 });
    const after = await queryOne<{ now: number }>(
      db,
      'SELECT folded_before AS now FROM analytics_state',
    );
    // No later than the oldest transaction that runs on the server, which may be another test's.
    expect(after?.now).toBeGreaterThanOrEqual(before?.now ?? Infinity);
    expect(after?.now).toBeLessThan(999_000_000_000);
  });
});

describe('a reset of test data', () => {
  const tables = ['clicks', 'fraud_flags', 'conversions', 'analytics_facts', 'analytics_rollups'];

  it.each([
    ['from the raw rows', [...tables, 'analytics_totals']],
    ['from the sums', ['analytics_totals', ...tables].reverse()],
  ])('leaves nothing behind that a reader could meet, %s', async (_, order) => {
    const other = await buildParticipant(db);
    await buildVisits(db, [{ participant: other, at }, ...visits(3)]);
    await buildSales(db, [{ participant, at, flags: ['bot_click'] }]);
    for (const table of order) {
      await foldAll(db);
      await asOwner(database.url, `DELETE FROM ${table} WHERE workspace_id = $1 AND mode = $2`, [
        participant.workspaceId,
        participant.mode,
      ]);
    }
    const { programId } = participant;
    await execute(db, 'DELETE FROM referral_tokens WHERE program_id = $1', [programId]);
    await execute(db, 'DELETE FROM tracking_links WHERE program_id = $1', [programId]);
    await execute(db, 'DELETE FROM participants WHERE program_id = $1', [programId]);
    await execute(db, 'DELETE FROM programs WHERE id = $1', [programId]);

    await foldAll(db);
    const left = () =>
      countFrom(
        db,
        `(SELECT program_id FROM analytics_rollups UNION ALL SELECT program_id FROM analytics_totals)
          AS s WHERE program_id = $1`,
        [programId],
      );
    // A batch, and again until nothing is left.
    for (let sums = await left(); sums > 0; sums = await left()) {
      expect(await dropOrphans(db, 3)).toBe(Math.min(3, sums));
    }
    expect(await dropOrphans(db)).toBe(0);
    participant = other;
    expect(await shown()).toEqual({ clicks: 1 });
    expect(await findDrift(db, new Date('2026-03-05T10:00:00Z'))).toEqual([]);
  });
});
