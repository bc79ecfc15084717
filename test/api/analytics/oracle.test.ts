import fc from 'fast-check';
import { foldAnalytics } from '../../../activities/analytics/fold';
import { rebuildAnalytics } from '../../../activities/analytics/rebuild';
import { sumBuckets } from '../../../api/analytics/figures.queries';
import { listPartners } from '../../../api/analytics/partners.queries';
import { presentBuckets } from '../../../api/analytics/presenters';
import { countFraudFlags } from '../../../api/analytics/fraud-summary.queries';
import type { PricedSelection } from '../../../api/analytics/selection';
import { execute, query, type Db } from '../../../entities/database/sql';
import {
  bucketsOf,
  previousSpan,
  spanOf,
  type Period,
} from '../../../entities/rules/analytics/period';
import { conversionRate } from '../../../entities/rules/analytics/figures';
import { fraudRules } from '../../../entities/rules/fraud/fraud';
import { buildSales, buildVisits, type Sale, type Visit } from '../../support/build/figures';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { asOwner } from '../../support/database';
import { useDatabase } from '../../support/data-source';
import { isNightly } from '../../support/run/nightly';

const zones = [
  'UTC',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Europe/Berlin',
  'Europe/Amsterdam',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'America/Santiago',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Kiritimati',
];

/** How many times as often it is asked; `npm run test:nightly` has time for more. */
const times = isNightly ? 10 : 1;

const database = useDatabase();
let db: Db;
let participants: BuiltParticipant[];
let linkIds: string[];
let programIds: string[];

beforeAll(async () => {
  db = database.source.manager;
  const first = await buildProgram(db);
  const programs = [first, await buildProgram(db, { workspaceId: first.workspaceId })];
  programIds = programs.map(({ id }) => id);
  participants = [];
  linkIds = [];
  for (const program of [...programs, ...programs]) {
    const participant = await buildParticipant(db, { program });
    participants.push(participant);
    linkIds.push(participant.linkId, (await buildLink(db, participant)).id);
  }
  await record();
  await asOwner(
    database.url,
    `CREATE VIEW raw_figures AS
     SELECT program_id, participant_id, link_id, NULL AS promo_code, created_at AS at,
            'clicks' AS measure, 1::bigint AS value FROM clicks
     UNION ALL
     SELECT program_id, participant_id, link_id, promo_code, occurred_at, 'conversions', 1
       FROM conversions WHERE attributed
     UNION ALL
     SELECT program_id, participant_id, link_id, promo_code, occurred_at, 'new_customers', 1
       FROM conversions WHERE attributed AND new_customer
     UNION ALL
     SELECT program_id, participant_id, link_id, promo_code, occurred_at, 'renewals', 1
       FROM conversions WHERE attributed AND (event_type = 'renewal'
          OR matched_by = 'customer' AND NOT new_customer AND amount_cents > 0)
     UNION ALL
     SELECT program_id, participant_id, link_id, promo_code, occurred_at, 'leads', 1
       FROM conversions WHERE attributed AND amount_cents = 0
     UNION ALL
     SELECT program_id, participant_id, link_id, promo_code, occurred_at, 'revenue:' || currency,
            amount_cents - refunded_amount_cents FROM conversions WHERE attributed
     UNION ALL
     SELECT v.program_id, v.participant_id, v.link_id, v.promo_code, v.occurred_at, 'fraud_flags', 1
       FROM fraud_flags f JOIN conversions v ON v.id = f.conversion_id;
     CREATE TABLE local_days
       (tz text, at timestamptz, day date NOT NULL, PRIMARY KEY (tz, at));
     GRANT SELECT ON raw_figures TO PUBLIC;
     GRANT SELECT, INSERT ON local_days TO PUBLIC`,
  );
  for (const tz of zones) await noteLocalDays(tz);
});

/**
 * The date of each row on the calendar of Node.js, whose zones the figures go by. Postgres brings others: a country
 * that has changed its clocks since is told by one of them first, and no figure is wrong for it.
 */
async function noteLocalDays(tz: string): Promise<void> {
  const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: tz });
  const rows = await query<{ at: Date }>(db, 'SELECT DISTINCT at FROM raw_figures');
  const moments = rows.map(({ at }) => at.toISOString());
  const days = rows.map(({ at }) => calendar.format(at));
  await execute(
    db,
    `INSERT INTO local_days SELECT $1, noted.at, noted.day
       FROM unnest($2::timestamptz[], $3::date[]) AS noted (at, day)`,
    [tz, moments, days],
  );
}

/** Clicks and sales before, between and after folds, many of them around changes of clocks. */
async function record(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const [visits, sales] = fc.sample(fc.tuple(visitsArbitrary, salesArbitrary), {
      seed: 1_000 + round,
      numRuns: 1,
    })[0] as [Visit[], Sale[]];
    await buildVisits(db, visits);
    await buildSales(db, sales);
    await execute(
      db,
      `UPDATE conversions SET refunded_amount_cents = amount_cents / (1 + $1::int)
        WHERE id IN (SELECT id FROM conversions ORDER BY md5(id::text || $1::text) LIMIT 25)`,
      [round],
    );
    if (round < 2) await foldAnalytics(db, 100);
  }
}

const moments = (range: { min: Date; max: Date }) => fc.date({ ...range, noInvalidDate: true });

const instants = fc.oneof(
  { weight: 8, arbitrary: moments({ min: new Date('2024-01-01'), max: new Date('2026-12-31') }) },
  // Nights in which clocks change, and times before zones were whole quarters of an hour.
  ...['2025-03-30', '2025-10-26', '2025-11-02', '2025-03-09', '2025-04-24', '2025-10-30'].map(
    (day) => ({
      weight: 1,
      arbitrary: moments({
        min: new Date(Date.parse(day) - 18 * 3_600_000),
        max: new Date(Date.parse(day) + 30 * 3_600_000),
      }),
    }),
  ),
);
const ancient = moments({ min: new Date('1910-01-01'), max: new Date('1936-01-01') });

const visitsArbitrary = fc.array(
  fc.record({ who: fc.nat(3), link: fc.nat(1), at: instants }).map(({ who, link, at }): Visit => ({
    participant: participants[who] as BuiltParticipant,
    linkId: linkIds[2 * who + link] as string,
    at,
  })),
  { minLength: 300, maxLength: 300 },
);

const salesArbitrary = fc.array(
  fc
    .record({
      who: fc.nat(3),
      link: fc.nat(1),
      code: fc.constantFrom(undefined, undefined, 'AVA10', 'BEA20'),
      at: fc.oneof({ weight: 9, arbitrary: instants }, { weight: 1, arbitrary: ancient }),
      amountCents: fc.oneof(fc.nat(5_000), fc.constant(0)),
      eventType: fc.constantFrom('purchase' as const, 'renewal' as const),
      newCustomer: fc.boolean(),
      currency: fc.constantFrom('usd', 'eur', 'jpy'),
      isRejected: fc.nat(5).map((n) => n === 0),
      flags: fc.subarray([...fraudRules], { maxLength: 2 }),
    })
    .map(({ who, link, code, ...sale }): Sale => {
      const signal = code ? { promoCode: code } : { linkId: linkIds[2 * who + link] as string };
      return { participant: participants[who] as BuiltParticipant, ...sale, ...signal };
    }),
  { minLength: 120, maxLength: 120 },
);

interface Asked extends Period {
  granularity: 'day' | 'week';
  measure: string;
  programs: number[];
  narrow: number | 'AVA10' | undefined;
}

const dayMs = 86_400_000;
const asked = fc
  .record({
    tz: fc.constantFrom(...zones),
    start: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 19_720, max: 20_820 }) },
      { weight: 1, arbitrary: fc.integer({ min: -21_900, max: -12_500 }) },
    ),
    days: fc.oneof(fc.integer({ min: 1, max: 366 }), fc.constant(366), fc.constant(1)),
    granularity: fc.constantFrom('day' as const, 'week' as const),
    measure: fc.constantFrom('clicks', 'conversions', 'revenue:usd', 'revenue:eur'),
    programs: fc.subarray([0, 1], { minLength: 1 }),
    narrow: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.nat(7) },
      { weight: 1, arbitrary: fc.constant('AVA10' as const) },
    ),
  })
  .map(({ start, days, ...rest }): Asked => {
    const date = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
    return { ...rest, from: date(start), to: date(start + days - 1) };
  });

function selectionOf({ programs, narrow }: Asked): PricedSelection {
  const [participant] = participants;
  if (!participant) throw new Error('no participant');
  return {
    scope: participant,
    programIds: programs.map((index) => programIds[index] as string),
    linkId: typeof narrow === 'number' ? (linkIds[narrow] as string) : null,
    promoCode: narrow === 'AVA10' ? narrow : null,
    currency: 'usd',
  };
}

/** Raw rows by their local dates, one by one. */
function naive<T>(question: Asked, columns: string, tail: string): Promise<T[]> {
  const { programIds: ids, linkId, promoCode } = selectionOf(question);
  return query<T>(
    db,
    `SELECT ${columns} FROM (
       SELECT raw_figures.*, day FROM raw_figures JOIN local_days USING (at)
        WHERE tz = $1 AND program_id = ANY ($2) AND ($3::uuid IS NULL OR link_id = $3)
          AND ($4::text IS NULL OR promo_code = $4)) AS raw
      WHERE day BETWEEN $5::date AND $6::date ${tail}`,
    [question.tz, ids, linkId, promoCode, question.from, question.to],
  );
}

async function checkTrend(question: Asked): Promise<void> {
  const { labels, spans } = bucketsOf(question, question.granularity);
  const sums = await sumBuckets(db, selectionOf(question), {
    buckets: spans,
    measures: [question.measure],
  });
  const trunc = question.granularity === 'week' ? "date_trunc('week', day)" : 'day';
  const rows = await naive<{ start: string; value: number }>(
    question,
    `to_char(${trunc}, 'YYYY-MM-DD') AS start, sum(value)::bigint AS value`,
    `AND measure = '${question.measure}' GROUP BY 1 HAVING sum(value) <> 0`,
  );
  const shown = presentBuckets(labels, sums).filter(({ value }) => value !== 0);
  expect(shown).toEqual(rows.sort((a, b) => (a.start < b.start ? -1 : 1)));
}

async function checkSums(question: Asked): Promise<void> {
  const selection = selectionOf(question);
  const buckets = [previousSpan(question), spanOf(question)];
  const sums = await sumBuckets(db, selection, { buckets, measures: null });
  const rows = await naive<{ measure: string; value: number }>(
    question,
    'measure, sum(value)::bigint AS value',
    'GROUP BY 1 HAVING sum(value) <> 0 ORDER BY 1',
  );
  const current = sums
    .filter(({ bucket, value }) => bucket === 2 && value !== 0)
    .map(({ measure, value }) => ({ measure, value }));
  expect(current.sort((a, b) => (a.measure < b.measure ? -1 : 1))).toEqual(rows);
  const flags = await countFraudFlags(db, selection, spanOf(question));
  const flagged = [...flags.values()].reduce((sum, count) => sum + count, 0);
  expect(flagged).toBe(rows.find(({ measure }) => measure === 'fraud_flags')?.value ?? 0);
}

async function checkPartners(question: Asked): Promise<void> {
  const { rows } = await listPartners(
    db,
    {
      selection: selectionOf(question),
      span: spanOf(question),
      sort: 'attributedRevenue',
      order: 'desc',
      onlyActive: true,
    },
    { limit: 100 },
  );
  const raw = await naive<{ id: string; measure: string; value: number }>(
    question,
    'participant_id AS id, measure, sum(value)::bigint AS value',
    'GROUP BY 1, 2',
  );
  for (const participant of participants) {
    const row = rows.find(({ participantId }) => participantId === participant.id);
    const own = (measure: string): number =>
      raw.find((one) => one.id === participant.id && one.measure === measure)?.value ?? 0;
    expect([
      row?.clicks ?? 0,
      row?.conversions ?? 0,
      row?.attributedRevenueCents ?? 0,
      row?.fraudFlagCount ?? 0,
      row?.conversionRate ?? 0,
    ]).toEqual([
      own('clicks'),
      own('conversions'),
      own('revenue:usd'),
      own('fraud_flags'),
      conversionRate({
        clicks: own('clicks'),
        conversions: own('conversions'),
        renewals: own('renewals'),
      }),
    ]);
  }
}

describe('figures equal a naive reading of the raw rows', () => {
  it('as trends, sums and partners, over any zone and period', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (question) => {
        await checkTrend(question);
        await checkSums(question);
        await checkPartners(question);
      }),
      { numRuns: 80 * times },
    );
  }, 120_000);

  it('also once everything was summed again', async () => {
    await rebuildAnalytics(db, { since: null, before: null });
    await fc.assert(
      fc.asyncProperty(asked, async (question) => {
        await checkTrend(question);
        await checkPartners(question);
      }),
      { numRuns: 15 * times },
    );
  }, 120_000);
});
