import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { adjustBalance } from '../../../activities/commissions/adjust';
import { decideCommission } from '../../../activities/commissions/decide';
import { completePayout, markItem } from '../../../activities/payouts/end-payout';
import { createPayout } from '../../../activities/payouts/payouts';
import type { PayoutRecord } from '../../../activities/payouts/records';
import { query, type Db } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import {
  figureOfType,
  statementFigures,
} from '../../../entities/rules/commissions/statement-figures';
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
const amounts = statementFigures.map((figure) => `${figure}Cents` as const);

type Figures = Record<(typeof amounts)[number] | 'openingCents' | 'closingCents', number> & {
  month: string;
  currency: string;
};
type Row = Figures & { participantId: string; partnerName: string; ledger: string };
interface Paged<T> {
  data: T[];
  total: number;
}
interface Statement extends Paged<Row> {
  totals: Figures[];
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

/** The whole statement of a year, read in small pages. */
async function statement(api: Caller, more = ''): Promise<{ rows: Row[]; totals: Figures[] }> {
  const rows: Row[] = [];
  let cursor: string | null = '';
  let totals: Figures[] = [];
  while (cursor !== null) {
    const next: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
    const { body }: { body: Statement & { nextCursor: string | null } } = await api.get(
      `${path}?year=2026&limit=7${more}${next}`,
    );
    rows.push(...body.data);
    ({ nextCursor: cursor, totals } = body);
    if (cursor === null) expect(body.total).toBe(rows.length);
  }
  return { rows, totals };
}

/** What is not 0 of a row. */
const short = (row: Row) => {
  const moved = ['openingCents', ...amounts, 'closingCents'] as const;
  const told = moved.filter((name) => row[name] !== 0).map((name) => `${name} ${row[name]}`);
  return [row.partnerName, row.month, row.currency, ...told].join(' ').replaceAll('Cents', '');
};
const ofMonths = (rows: readonly Row[], ...months: number[]) =>
  rows.filter(({ month }) => months.includes(Number(month.slice(5)))).map(short);

it('a statement has what came back in the month in which it did, and each currency by itself', async () => {
  const { api, earn, create, complete, mark, adjust } = await openBooks();
  await earn(10_000);
  await earn(5_000, 0, 'eur');
  const payout = await create(at(1));
  await complete(payout.id, at(1));
  const euro = payout.items.findIndex(({ currency }) => currency === 'eur');
  await mark(payout, 'returned', at(3), euro);
  await adjust(-500, at(3));

  const { rows } = await statement(api);
  expect(ofMonths(rows, 1, 2, 3, 4)).toEqual([
    'Anna 2026-01 eur accrued 1000 paid -1000',
    'Anna 2026-01 usd accrued 2000 paid -2000',
    'Anna 2026-03 eur returned 1000 closing 1000',
    'Anna 2026-03 usd adjusted -500 closing -500',
    'Anna 2026-04 eur opening 1000 closing 1000',
    'Anna 2026-04 usd opening -500 closing -500',
  ]);
  const returned = rows.find(({ returnedCents }) => returnedCents > 0);
  const { body } = await api.get<Paged<object>>(`${returned?.ledger}&type=payout_reversal`);
  expect(body.data).toEqual([
    expect.objectContaining({ type: 'payout_reversal', amountCents: 1_000, payoutId: payout.id }),
  ]);
});

it('a statement has what was undone in the month in which it was', async () => {
  const { api, adjust, undo, earn } = await openBooks();
  const { record } = await adjust(700, at(2));
  await undo(record.id, at(4));
  const sale = await earn(10_000);
  await undo(sale.id, at(4));
  const { rows } = await statement(api);
  expect(rows.map(short)).toEqual([
    'Anna 2026-01 usd accrued 2000 closing 2000',
    'Anna 2026-02 usd opening 2000 adjusted 700 closing 2700',
    'Anna 2026-03 usd opening 2700 closing 2700',
    'Anna 2026-04 usd opening 2700 reversed -2700',
  ]);
});

it('begins and ends with its months in UTC', async () => {
  const { api, adjust } = await openBooks();
  for (const moment of [
    '2025-12-31T23:59:59.999Z',
    '2026-01-01T00:00:00.000Z',
    '2026-01-31T23:59:59.999Z',
    '2026-02-01T00:00:00.000Z',
  ]) {
    await adjust(100, new Date(moment));
  }
  const { rows } = await statement(api);
  expect(ofMonths(rows, 1)).toEqual(['Anna 2026-01 usd opening 100 adjusted 200 closing 300']);
  const january = await api.get<Statement>(`${path}?year=2026&month=1`);
  expect(january.body.data.map(short)).toEqual(ofMonths(rows, 1));
  const before = await api.get<Statement>(`${path}?year=2025&month=12`);
  expect(before.body.data.map(short)).toEqual(['Anna 2025-12 usd adjusted 100 closing 100']);
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

/** What the ledger came to before an instant, of a partner or all, in one currency. */
async function ledgerBefore(
  instant: Date,
  currency: string,
  participantId: string | null,
  workspaceId: string,
) {
  const [row] = await query<{ cents: number }>(
    db,
    `SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM ledger_entries
      WHERE created_at < $1 AND currency = $2 AND ($3::uuid IS NULL OR participant_id = $3)
        AND workspace_id = $4`,
    [instant, currency, participantId, workspaceId],
  );
  return row?.cents;
}

const endOf = (month: string) => new Date(Date.UTC(2026, Number(month.slice(5)), 1));
const closingOf = (row: Figures) =>
  amounts.reduce((sum, name) => sum + row[name], row.openingCents);

/** Every entry that a row leads to, summed by the column that its type belongs to. */
async function figuresBehind(api: Caller, row: Row): Promise<Record<string, number>> {
  const { body } = await api.get<Paged<LedgerEntry>>(`${row.ledger}&limit=100`);
  expect(body.data).toHaveLength(body.total);
  const sums = Object.fromEntries(amounts.map((name) => [name, 0]));
  for (const { type, amountCents } of body.data) {
    const name = `${figureOfType[type]}Cents`;
    sums[name] = (sums[name] ?? 0) + amountCents;
  }
  return sums;
}

it('closes: it is the sum of the ledger to each month, and stays it (payouts.md, Books that close)', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const books = await openBooks(['Anna', 'Bob']);
      const { api, owner, program } = books;
      const adjusted: string[] = [];
      const payouts: PayoutRecord[] = [];
      const closed = new Map<number, string[]>();
      for (const { what, cents, partner, currency, month, of } of all.toSorted(
        (a, b) => a.month - b.month,
      )) {
        for (let over = 1; over < month; over += 1) {
          if (!closed.has(over)) closed.set(over, ofMonths((await statement(api)).rows, over));
        }
        const now = at(month);
        const payout = payouts.at(of % Math.max(1, payouts.length));
        const work: Record<string, () => Promise<unknown> | undefined> = {
          // A sale of the past would be told in the past.
          earn: () =>
            month === 1 ? books.earn(Math.abs(cents) * 10, partner, currency) : undefined,
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

      const { rows, totals } = await statement(api);
      for (const [month, was] of closed) expect(ofMonths(rows, month)).toEqual(was);
      for (const row of rows) {
        const { closingCents, currency, participantId, month } = row;
        expect(closingOf(row)).toBe(closingCents);
        const { workspaceId } = owner;
        expect(await ledgerBefore(endOf(month), currency, participantId, workspaceId)).toBe(
          closingCents,
        );
        const moved = Object.fromEntries(amounts.map((name) => [name, row[name]]));
        expect(await figuresBehind(api, row)).toEqual(moved);
        const next = rows.find(
          (one) =>
            one.participantId === participantId && one.currency === currency && one.month > month,
        );
        expect(next?.openingCents ?? 0).toBe(next || closingCents === 0 ? closingCents : 0);
      }
      for (const total of totals) {
        const same = rows.filter(
          ({ month, currency }) => month === total.month && currency === total.currency,
        );
        for (const name of ['openingCents', ...amounts, 'closingCents'] as const) {
          expect(same.reduce((sum, row) => sum + row[name], 0)).toBe(total[name]);
        }
        expect(
          await ledgerBefore(endOf(total.month), total.currency, null, owner.workspaceId),
        ).toBe(total.closingCents);
      }
      for (const i of [0, 1]) {
        const { id } = books.partner(i);
        const balance = `/api/v1/programs/${program.id}/partners/${id}/balance`;
        const now = await api.get<{ balances: Balance[] }>(balance);
        const later = await api.get<{ balances: Balance[] }>(`${balance}?at=2026-06-01T00:00:00Z`);
        expect(later.body.balances).toEqual(now.body.balances);
        for (const month of [1, 2, 3, 4]) {
          const instant = new Date(Date.UTC(2026, month, 1));
          const then = await api.get<{ balances: Balance[] }>(
            `${balance}?at=${instant.toISOString()}`,
          );
          for (const { currency, ...one } of then.body.balances) {
            const { pendingCents, approvedCents, inPayoutCents, debtCents } = one;
            expect(await ledgerBefore(instant, currency, id, owner.workspaceId)).toBe(
              pendingCents + approvedCents + inPayoutCents - debtCents,
            );
          }
        }
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
}, 180_000);

interface Balance {
  currency: string;
  pendingCents: number;
  approvedCents: number;
  inPayoutCents: number;
  debtCents: number;
}

it('a statement is a file, with formulas neutralised and negative amounts as numbers, and is audited', async () => {
  const { api, earn, create, complete, adjust } = await openBooks(['=HYPERLINK("x")', 'Bob']);
  await earn(10_000);
  await complete((await create(at(1))).id, at(1));
  await adjust(-300, at(2), [1, 'usd']);
  const csv = await api.get(`${path}?year=2026&format=csv`);
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="statement-2026.csv"');
  const [header = [], ...lines] = parse(csv.text) as unknown as string[][];
  expect(header).toEqual([
    ...['month', 'partnerName', 'partnerEmail', 'participantId', 'programId', 'currency'],
    ...['openingCents', ...amounts, 'closingCents'],
  ]);
  const cell = (row: string[], name: string) => row[header.indexOf(name)];
  const [first = [], second = []] = lines;
  expect([first[0], first[1]]).toEqual(['2026-01', `'=HYPERLINK("x")`]);
  expect([cell(first, 'accruedCents'), cell(first, 'paidCents')]).toEqual(['2000', '-2000']);
  expect([second[0], second[1], cell(second, 'adjustedCents')]).toEqual(['2026-02', 'Bob', '-300']);
  const totals = lines.filter((row) => row[1] === 'total');
  expect(lines.slice(-totals.length)).toEqual(totals);
  expect(totals.map((row) => [row[0], cell(row, 'closingCents')]).slice(0, 2)).toEqual([
    ['2026-01', '0'],
    ['2026-02', '-300'],
  ]);
  const audit = await api.get<Paged<{ action: string }>>('/api/v1/workspace/audit-log?limit=1');
  expect(audit.body.data[0]?.action).toBe('statement.exported');
});

it('a statement is a file of more rows than are read at a time, each once', async () => {
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
  const months = Number(new Date() < new Date('2027-01-01') ? new Date().getUTCMonth() + 1 : 12);
  const [whole, totals] = [rows.slice(0, -2 * months), rows.slice(-2 * months)];
  expect(totals.every(([, name]) => name === 'total')).toBe(true);
  const keys = whole.map(([month, , , participantId, , currency]) =>
    [participantId, month, currency].join(' '),
  );
  expect(keys).toHaveLength(121 * months * 2);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual([...keys].sort());
});

it('shows nothing to another workspace or the other mode, and all of it to a viewer', async () => {
  const { api, owner, partner, program, adjust } = await openBooks();
  await adjust(100, at(1));
  const entries = `${path}/entries?participantId=${partner(0).id}&month=2026-01`;
  const stranger = await callerOf(app, await buildMember(db));
  const { workspaceId } = owner;
  const viewer = await callerOf(app, await buildMember(db, { workspaceId, role: 'viewer' }));
  for (const asked of [`${path}?year=2026&month=1`, '/api/v1/ledger', entries]) {
    expect((await api.get<Paged<Row>>(asked)).body.total).toBe(1);
    expect((await viewer.get<Paged<Row>>(asked)).body.total).toBe(1);
    expect((await stranger.get<Paged<Row>>(asked)).body.total).toBe(0);
    const mode = program.mode === 'test' ? 'live' : 'test';
    expect((await api.get<Paged<Row>>(asked, { mode })).body.total).toBe(0);
  }
  const csv = await stranger.get(`${path}?year=2026&format=csv`);
  expect(csv.text.split('\r\n')).toHaveLength(2);
  for (const asked of [`${path}?year=2026`, '/api/v1/ledger?']) {
    const foreign = await stranger.get(`${asked}&programId=${program.id}`);
    expect(codeOf(foreign)).toEqual([403, 'FORBIDDEN']);
  }
});

describe('the ledger as a list', () => {
  interface Entry {
    id: string;
    type: string;
    createdAt: string;
    amountCents: number;
    partnerName: string;
    reason: string | null;
  }

  it('is narrowed by what is asked for, newest first, with reasons', async () => {
    const { api, adjust, undo, earn, partner } = await openBooks(['Anna', 'Bob']);
    const sale = await earn(10_000);
    const { record } = await adjust(700, at(2), [1, 'usd']);
    await undo(record.id, at(3));
    const list = async (filter: string) =>
      (await api.get<Paged<Entry>>(`/api/v1/ledger?${filter}`)).body.data.map(
        ({ type, amountCents, partnerName }) => `${partnerName} ${type} ${amountCents}`,
      );
    const [accrual, adjustment, reversal] = [
      ...['Anna accrual 2000', 'Bob adjustment 700', 'Bob reversal -700'],
    ];
    expect(await list('')).toEqual([reversal, adjustment, accrual]);
    expect(await list('type=adjustment,reversal')).toEqual([reversal, adjustment]);
    expect(await list(`participantId=${partner(0).id}`)).toEqual([accrual]);
    expect(await list(`commissionId=${sale.id}`)).toEqual([accrual]);
    expect(await list('currency=eur')).toEqual([]);
    expect(await list('from=2026-02-15&to=2026-02-15')).toEqual([adjustment]);
    const noon = at(2).toISOString();
    expect(await list(`to=${noon}`)).toEqual([accrual]);
    expect(await list(`from=${noon}`)).toEqual([reversal, adjustment]);
    const { body } = await api.get<Paged<Entry>>('/api/v1/ledger?type=adjustment,reversal');
    expect(body.data.map(({ reason }) => reason)).toEqual(['a mistake', 'because']);
    const wrong = await api.get('/api/v1/ledger?type=bribe');
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('type')]);

    const csv = await api.get('/api/v1/ledger?format=csv&type=adjustment,reversal');
    const [header, ...rows] = parse(csv.text) as unknown as string[][];
    expect(header).toEqual([
      ...['id', 'createdAt', 'type', 'amountCents', 'currency', 'programId', 'participantId'],
      ...['partnerName', 'commissionId', 'payoutId', 'reason'],
    ]);
    expect(rows.map((row) => [row[1], row[2], row[3], row[10]])).toEqual(
      body.data.map((row) => [row.createdAt, row.type, String(row.amountCents), row.reason]),
    );
  });

  it('is a file of more rows than are read at a time, each once', async () => {
    const { api, owner, program, partner } = await openBooks();
    await query(
      db,
      `INSERT INTO ledger_entries (id, workspace_id, mode, program_id, participant_id,
                                   commission_id, type, amount_cents, currency, created_at)
       SELECT gen_random_uuid(), $1, $2, $3, $4, gen_random_uuid(), 'accrual', 1, 'usd',
              timestamptz '2026-01-20' + make_interval(secs => n / 3) FROM generate_series(1, 1200) AS n`,
      [owner.workspaceId, program.mode, program.id, partner(0).id],
    );
    const { text } = await api.get('/api/v1/ledger?format=csv');
    const ids = (parse(text) as unknown as string[][]).slice(1).map(([id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([1_200, 1_200]);
  });
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
