import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { adjustBalance } from '../../../activities/commissions/adjust';
import { decideCommission } from '../../../activities/commissions/decide';
import { completePayout, markItem } from '../../../activities/payouts/end-payout';
import { createPayout } from '../../../activities/payouts/payouts';
import type { PayoutRecord } from '../../../activities/payouts/records';
import { query, type Db } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import type { LedgerEntry } from '../../../entities/tables/commissions/ledger-entry.entity';
import { codeOf, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, buildPartner } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import {
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const app = useApp();
let db: Db;

beforeAll(async () => {
  db = app.deps.db.manager;
});

const path = '/api/v1/payouts/statement';
const figures = ['paid', 'returned', 'adjusted'] as const;

interface Row {
  participantId: string;
  partnerName: string;
  month: string;
  currency: string;
  paidCents: number;
  returnedCents: number;
  adjustedCents: number;
  entries: Record<(typeof figures)[number], string>;
}
interface Paged<T> {
  data: T[];
  total: number;
}

/** The middle of a month of 2026, from 1. */
const at = (month: number): Date => new Date(Date.UTC(2026, month - 1, 15));

/** A programme with partners, and what happens in it at which time. */
async function openBooks(names = ['Anna']) {
  const owner = await buildMember(db);
  const api = await callerOf(app, owner);
  const program = await buildProgram(db, { workspaceId: owner.workspaceId, minPayoutCents: 0 });
  const scope = { workspaceId: owner.workspaceId, mode: program.mode };
  const partners: BuiltParticipant[] = [];
  for (const partnerName of names) {
    const { id: partnerId } = await buildPartner(db, { name: partnerName });
    partners.push(await buildParticipant(db, { program, partnerId, partnerName }));
  }
  const partner = (i: number) => partners[i] as BuiltParticipant;
  const context = (now: Date) => ({ actor: systemActor, now, scope });
  const bounds = { id: program.id, currency: 'usd', minPayoutCents: 0 };
  return {
    ...{ api, owner, program, partner },
    earn: (conversionAmountCents: number, i = 0, conversionCurrency = 'usd') =>
      buildCommission(db, {
        ...{ program, conversionAmountCents, conversionCurrency },
        ...{ participant: partner(i), status: 'approved' as const, createdAt: at(1) },
      }),
    adjust: (amountCents: number, now: Date, [i, currency] = [0, 'usd'] as [number, string]) =>
      adjustBalance(db, context(now), {
        ...{ programId: program.id, participantId: partner(i).id, amountCents, currency },
        ...{ reason: 'because', externalId: null },
      }),
    undo: (commissionId: string, now: Date) =>
      decideCommission(db, context(now), {
        ...{ programId: program.id, commissionId, decision: 'reject' as const },
        reason: 'a mistake',
      }),
    create: (now: Date) => createPayout(db, context(now), { program: bounds, reference: null }),
    complete: (payoutId: string, now: Date) => completePayout(db, context(now), { payoutId }),
    mark: (payout: PayoutRecord, status: 'paid' | 'failed' | 'returned', now: Date, item = 0) =>
      markItem(db, context(now), {
        ...{ payoutId: payout.id, itemId: payout.items.at(item % payout.items.length)?.id ?? '' },
        status,
      }),
  };
}

const statement = async (api: Caller, more = ''): Promise<Row[]> => {
  const found: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await api.get<Paged<Row>>(`${path}?year=2026&limit=7&page=${page}${more}`);
    found.push(...body.data);
    if (body.data.length === 0) {
      expect(body.total).toBe(found.length);
      return found;
    }
  }
};

const short = (row: Row) =>
  [row.partnerName, row.month, row.currency, ...figures.map((one) => row[`${one}Cents`])].join(' ');

/** What the entries that a row leads to come to. */
async function sumOf(api: Caller, row: Row, figure: (typeof figures)[number]): Promise<number> {
  const { status, body } = await api.get<Paged<LedgerEntry>>(`${row.entries[figure]}&limit=100`);
  expect([status, body.data.length]).toEqual([200, body.total]);
  return body.data.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

it('has what came back in the month in which it did, and each currency by itself', async () => {
  const { api, earn, create, complete, mark, adjust } = await openBooks();
  await earn(10_000);
  await earn(5_000, 0, 'eur');
  const payout = await create(at(1));
  await complete(payout.id, at(1));
  const euro = payout.items.findIndex(({ currency }) => currency === 'eur');
  await mark(payout, 'returned', at(3), euro);
  await adjust(-500, at(3));

  const rows = await statement(api);
  expect(rows.map(short)).toEqual([
    'Anna 2026-01 eur 1000 0 0',
    'Anna 2026-01 usd 2000 0 0',
    'Anna 2026-03 eur 0 1000 0',
    'Anna 2026-03 usd 0 0 -500',
  ]);
  const [, , returned] = rows as [Row, Row, Row];
  const { body } = await api.get<Paged<object>>(returned.entries.returned);
  expect(body.data).toEqual([
    expect.objectContaining({ type: 'payout_reversal', amountCents: 1_000, payoutId: payout.id }),
  ]);
});

it('takes an adjustment that was undone back in the month in which it was', async () => {
  const { api, adjust, undo, earn } = await openBooks();
  const { record } = await adjust(700, at(2));
  await undo(record.id, at(4));
  const sale = await earn(10_000);
  await undo(sale.id, at(4));
  expect((await statement(api)).map(short)).toEqual([
    'Anna 2026-02 usd 0 0 700',
    'Anna 2026-04 usd 0 0 -700',
  ]);
});

it('begins and ends with the year in UTC', async () => {
  const { api, adjust } = await openBooks();
  for (const moment of [
    '2025-12-31T23:59:59.999Z',
    '2026-01-01T00:00:00.000Z',
    '2026-12-31T23:59:59.999Z',
    '2027-01-01T00:00:00.000Z',
  ]) {
    await adjust(100, new Date(moment));
  }
  expect((await statement(api)).map(short)).toEqual([
    'Anna 2026-01 usd 0 0 100',
    'Anna 2026-12 usd 0 0 100',
  ]);
});

const steps = fc.array(
  fc.record({
    what: fc.constantFrom('earn', 'adjust', 'undo', 'create', 'complete', 'paid', 'failed', 'back'),
    cents: fc.integer({ min: -3_000, max: 9_000 }).filter((cents) => cents !== 0),
    partner: fc.integer({ min: 0, max: 1 }),
    currency: fc.constantFrom('usd', 'eur'),
    month: fc.integer({ min: 1, max: 4 }),
    of: fc.nat(3),
  }),
  { minLength: 6, maxLength: 16 },
);

it("is the sum of the ledger after whatever happened (payouts.md, A year's statement)", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const books = await openBooks(['Anna', 'Bob']);
      const { api, owner } = books;
      const adjusted: string[] = [];
      const payouts: PayoutRecord[] = [];
      for (const { what, cents, partner, currency, month, of } of all) {
        const now = at(month);
        const payout = payouts.at(of % Math.max(1, payouts.length));
        const work: Record<string, () => Promise<unknown> | undefined> = {
          earn: () => books.earn(Math.abs(cents) * 10, partner, currency),
          adjust: async () => {
            const { record } = await books.adjust(cents, now, [partner, currency]);
            adjusted.push(record.id);
          },
          undo: () => (adjusted[of] === undefined ? undefined : books.undo(adjusted[of], now)),
          create: async () => payouts.push(await books.create(now)),
          complete: () => payout && books.complete(payout.id, now),
          paid: () => payout && books.mark(payout, 'paid', now, of),
          failed: () => payout && books.mark(payout, 'failed', now, of),
          back: () => payout && books.mark(payout, 'returned', now, of),
        };
        // What the rules refuse changes nothing.
        await work[what]?.()?.catch((error: { code?: string }) =>
          expect(error.code).toMatch(/^[A-Z_]+$/),
        );
      }

      const rows = await statement(api);
      for (const row of rows) {
        const sums = await Promise.all(figures.map((figure) => sumOf(api, row, figure)));
        expect([-row.paidCents + 0, row.returnedCents, row.adjustedCents]).toEqual(sums);
      }
      const ledger = await query<{ type: string; currency: string; cents: number }>(
        db,
        `SELECT l.type, l.currency, sum(l.amount_cents)::bigint AS cents
           FROM ledger_entries AS l JOIN commissions AS c ON c.id = l.commission_id
          WHERE l.workspace_id = $1 AND (l.type IN ('payout', 'payout_reversal')
             OR c.commission_type = 'adjustment') GROUP BY l.type, l.currency`,
        [owner.workspaceId],
      );
      const whole = (currency: string, of: (row: Row) => number) =>
        rows.filter((row) => row.currency === currency).reduce((sum, row) => sum + of(row), 0);
      const held = (currency: string, types: string[]) =>
        ledger
          .filter((one) => one.currency === currency && types.includes(one.type))
          .reduce((sum, { cents }) => sum + cents, 0);
      for (const currency of ['usd', 'eur']) {
        expect(whole(currency, (row) => -row.paidCents)).toBe(held(currency, ['payout']) + 0);
        expect(whole(currency, (row) => row.returnedCents)).toBe(
          held(currency, ['payout_reversal']),
        );
        expect(whole(currency, (row) => row.adjustedCents)).toBe(
          held(currency, ['adjustment', 'reversal']),
        );
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 120_000);

it('is a file, with formulas neutralised and negative amounts as numbers, and is audited', async () => {
  const { api, earn, create, complete, adjust } = await openBooks(['=HYPERLINK("x")', 'Bob']);
  await earn(10_000);
  await complete((await create(at(1))).id, at(1));
  await adjust(-300, at(2), [1, 'usd']);
  const csv = await api.get(`${path}?year=2026&format=csv`);
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="statement-2026.csv"');
  const [header, ...rows] = parse(csv.text) as unknown as string[][];
  expect(header?.slice(0, 9)).toEqual([
    ...['month', 'partnerName', 'partnerEmail', 'participantId', 'programId', 'currency'],
    ...['paidCents', 'returnedCents', 'adjustedCents'],
  ]);
  expect(rows.map(([month, name]) => [month, name])).toEqual([
    ['2026-01', `'=HYPERLINK("x")`],
    ['2026-02', 'Bob'],
  ]);
  expect(rows.map((row) => row.slice(6, 9))).toEqual([
    ['2000', '0', '0'],
    ['0', '0', '-300'],
  ]);
  const entries = await api.get<Paged<LedgerEntry>>(rows[0]?.[9] ?? '');
  expect(entries.body.data.map(({ amountCents }) => amountCents)).toEqual([-2_000]);
  const audit = await api.get<Paged<{ action: string }>>('/api/v1/workspace/audit-log?limit=1');
  expect(audit.body.data[0]?.action).toBe('statement.exported');
});

it('is a file of more rows than are read at a time, each once', async () => {
  const { api, owner, program, partner } = await openBooks();
  const [{ workspaceId }, { id: programId }, { id }] = [owner, program, partner(0)];
  await query(
    db,
    `INSERT INTO participants SELECT (jsonb_populate_record(p, jsonb_build_object(
              'id', gen_random_uuid(), 'partner_id', gen_random_uuid(),
              'partner_email', 'p' || n || '@example.com'))).*
       FROM participants AS p, generate_series(1, 120) AS n WHERE p.id = $1`,
    [id],
  );
  await query(
    db,
    `INSERT INTO ledger_entries (id, workspace_id, mode, program_id, participant_id, commission_id,
                                 type, amount_cents, currency, created_at)
     SELECT gen_random_uuid(), $1, $2, $3, p.id, gen_random_uuid(), 'payout', -n, c.currency,
            timestamptz '2026-01-20' + make_interval(months => n)
       FROM participants AS p, generate_series(0, 4) AS n, unnest(ARRAY['usd', 'eur']) AS c (currency)
      WHERE p.program_id = $3`,
    [workspaceId, program.mode, programId],
  );
  const { text } = await api.get(`${path}?year=2026&format=csv`);
  const rows = (parse(text) as unknown as string[][]).slice(1);
  const keys = rows.map(([month, , , participantId, , currency]) =>
    [participantId, month, currency].join(' '),
  );
  expect(keys).toHaveLength(121 * 5 * 2);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual([...keys].sort());
});

it('shows nothing to another workspace, the other mode or who is no admin', async () => {
  const { api, owner, partner, program, adjust } = await openBooks();
  await adjust(100, at(1));
  const entries = `${path}/entries?participantId=${partner(0).id}&month=2026-01`;
  const stranger = await callerOf(app, await buildMember(db));
  for (const asked of [`${path}?year=2026`, entries]) {
    expect((await api.get<Paged<Row>>(asked)).body.total).toBe(1);
    expect((await stranger.get<Paged<Row>>(asked)).body.total).toBe(0);
    const mode = program.mode === 'test' ? 'live' : 'test';
    expect((await api.get<Paged<Row>>(asked, { mode })).body.total).toBe(0);
  }
  const csv = await stranger.get(`${path}?year=2026&format=csv`);
  expect(csv.text.split('\r\n')).toHaveLength(2);
  const foreign = await stranger.get(`${path}?year=2026&programId=${program.id}`);
  expect(codeOf(foreign)).toEqual([403, 'FORBIDDEN']);
  const member = await callerOf(
    app,
    await buildMember(db, { workspaceId: owner.workspaceId, role: 'member' }),
  );
  expect(codeOf(await member.get(`${path}?year=2026`))).toEqual([403, 'FORBIDDEN']);
});

it.each([
  ['', 'year'],
  ['?year=', 'year'],
  ['?year=nonsense', 'year'],
  ['?year=26', 'year'],
  ['?year=2026.5', 'year'],
  ['?year=99999', 'year'],
  ['?year=2026&format=xls', 'format'],
  ['/entries?month=2026-01', 'participantId'],
  ['/entries?participantId=0198c0de-2000-7000-8000-000000000002&month=2026-13', 'month'],
  ['/entries?participantId=0198c0de-2000-7000-8000-000000000002&month=1', 'month'],
])('refuses %s by the name of the field', async (asked, field) => {
  const { api } = await openBooks();
  const { status, body } = await api.get<{ details: { field: string }[] }>(path + asked);
  expect([status, body.details.map((one) => one.field)]).toEqual([400, [field]]);
});
