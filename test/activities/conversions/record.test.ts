import { dryRunConversion, recordConversion } from '../../../activities/purchases/report-purchase';
import type { ConversionReport } from '../../../activities/conversions/report';
import type { ConversionRecord } from '../../../activities/conversions/conversion';
import { AppError } from '../../../entities/errors';
import { newId } from '../../../entities/ids';
import type { Scope } from '../../../entities/rules/values/mode';
import { type Db, execute, query, transaction } from '../../../entities/database/sql';
import { buildClick } from '../../support/build/clicks';
import { buildConversion, buildReport } from '../../support/build/conversions';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';
import type { BuiltParticipant } from '../../support/build/programs';
import { openTestDataSource, type TestDataSource } from '../../support/data-source';

let database: TestDataSource;
let db: Db;
const now = new Date();
const day = 86_400_000;
const daysAgo = (days: number): Date => new Date(now.getTime() - days * day);

beforeAll(async () => {
  database = await openTestDataSource(20);
  db = database.source.manager;
});
afterAll(() => database.close());

const scopeOf = ({ workspaceId, mode }: BuiltParticipant): Scope => ({ workspaceId, mode });

async function refusalOf(work: Promise<unknown>): Promise<AppError> {
  const outcome: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof AppError) return outcome;
  throw new Error(`expected a refusal, not ${String(outcome)}`);
}

/** Every row of the workspace in the tables that a report writes to. */
async function rowsOf({ workspaceId }: Scope): Promise<Record<string, number>> {
  const tables = [
    'conversions',
    'conversion_aliases',
    'attribution_decisions',
    'fraud_flags',
    'commissions',
    'commission_history',
    'ledger_entries',
    'events',
  ];
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const rows = await query<{ total: number }>(
      db,
      `SELECT count(*) AS total FROM ${table} WHERE workspace_id = $1`,
      [workspaceId],
    );
    counts[table] = rows[0]?.total ?? -1;
  }
  return counts;
}

const nothing = {
  conversions: 0,
  conversion_aliases: 0,
  attribution_decisions: 0,
  fraud_flags: 0,
  commissions: 0,
  commission_history: 0,
  ledger_entries: 0,
  events: 0,
};

describe('a report with a click', () => {
  it('is credited, with everything that follows, in one go', async () => {
    const participant = await buildParticipant(db);
    const click = await buildClick(db, { participant, at: daysAgo(1) });
    const report = buildReport({ clickId: click.id, metadata: { plan: 'pro' } });
    const conversion = await recordConversion(db, { scope: scopeOf(participant), now }, report);

    expect(conversion).toMatchObject({
      attributed: true,
      reason: 'ATTRIBUTED',
      matchedBy: 'click',
      clickId: click.id,
      programId: participant.programId,
      participantId: participant.id,
      windowEndsAt: click.expiresAt,
      commission: { status: 'pending', amountCents: 2_000, currency: 'usd', needsReview: false },
    });
    expect(await rowsOf(scopeOf(participant))).toEqual({
      ...nothing,
      conversions: 1,
      conversion_aliases: 1,
      attribution_decisions: 1,
      commissions: 1,
      commission_history: 1,
      ledger_entries: 1,
      events: 2,
    });
    // The lifecycle has to begin; the events of one commit are one piece of work.
    const work = await query<{ topic: string; events: number }>(
      db,
      `SELECT o.topic, 1 + jsonb_array_length(o.payload -> 'others') AS events
         FROM outbox o LEFT JOIN events e ON e.id = o.ref
        WHERE e.workspace_id = $1 OR o.ref = $2 ORDER BY o.topic`,
      [participant.workspaceId, conversion.commission?.id],
    );
    expect(work).toEqual([
      { topic: 'commission', events: null },
      { topic: 'events', events: 2 },
    ]);
  });

  it('pays at once where nothing holds the commission', async () => {
    const program = await buildProgram(db, { holdDays: 0 });
    const participant = await buildParticipant(db, { program });
    const conversion = await buildConversion(db, { participant });
    expect(conversion.commission?.status).toBe('approved');
    expect(await rowsOf(scopeOf(participant))).toMatchObject({ commission_history: 2, events: 3 });
  });

  it('finds the click whatever the case of its id, and shows it in lower case', async () => {
    const participant = await buildParticipant(db);
    const click = await buildClick(db, { participant, at: daysAgo(1) });
    const report = buildReport({ clickId: click.id.toUpperCase() });
    const conversion = await recordConversion(db, { scope: scopeOf(participant), now }, report);
    expect(conversion).toMatchObject({ attributed: true, clickId: click.id });
  });

  it('earns nothing of an amount of 0 by percentage, and is attributed all the same', async () => {
    const conversion = await buildConversion(db, { amountCents: 0, currency: null });
    expect(conversion).toMatchObject({ attributed: true, commission: null });
  });

  it('earns the flat amount even of 0', async () => {
    const program = await buildProgram(db, { commissionType: 'flat' });
    const participant = await buildParticipant(db, { program });
    const conversion = await buildConversion(db, { participant, amountCents: 0, currency: null });
    expect(conversion.commission).toMatchObject({ amountCents: 500, currency: 'usd' });
  });
});

interface Case {
  name: string;
  reason: string;
  /** Gives the signals of a report for a fresh participant. */
  arrange(participant: BuiltParticipant): Promise<Partial<ConversionReport>>;
}

const setStatus = (participant: BuiltParticipant, status: string): Promise<number> =>
  execute(db, 'UPDATE participants SET status = $2 WHERE id = $1', [participant.id, status]);

const cases: Case[] = [
  {
    name: 'a click',
    reason: 'ATTRIBUTED',
    arrange: async (participant) => ({
      clickId: (await buildClick(db, { participant, at: daysAgo(1) })).id,
    }),
  },
  {
    name: 'a code in lower case',
    reason: 'ATTRIBUTED',
    arrange: async (participant) => ({
      promoCode: (await buildPromoCode(db, participant)).code.toLowerCase(),
    }),
  },
  {
    name: 'an unknown click',
    reason: 'CLICK_NOT_FOUND',
    arrange: async () => ({ clickId: newId() }),
  },
  {
    name: 'a text that is no click',
    reason: 'CLICK_NOT_FOUND',
    arrange: async () => ({ clickId: 'x'.repeat(5_000) }),
  },
  {
    name: 'the last id there can be',
    reason: 'CLICK_NOT_FOUND',
    arrange: async () => ({ clickId: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }),
  },
  {
    name: 'an unknown code',
    reason: 'PROMO_CODE_NOT_FOUND',
    arrange: async () => ({ promoCode: 'NOBODYS' }),
  },
  {
    name: 'a text that is no code',
    reason: 'PROMO_CODE_NOT_FOUND',
    arrange: async () => ({ promoCode: "'; DROP TABLE conversions --".repeat(300) }),
  },
  {
    name: 'a click whose window is over',
    reason: 'CLICK_EXPIRED',
    arrange: async (participant) => ({
      clickId: (await buildClick(db, { participant, at: daysAgo(31) })).id,
    }),
  },
  {
    name: 'a click after the conversion',
    reason: 'CLICK_AFTER_CONVERSION',
    arrange: async (participant) => ({
      clickId: (await buildClick(db, { participant, at: daysAgo(1) })).id,
      occurredAt: daysAgo(2),
    }),
  },
  {
    name: 'a partner who is suspended now',
    reason: 'PARTNER_NOT_APPROVED',
    arrange: async (participant) => {
      const click = await buildClick(db, { participant, at: daysAgo(1) });
      await setStatus(participant, 'suspended');
      return { clickId: click.id };
    },
  },
  {
    name: 'a click made before the approval',
    reason: 'PARTNER_NOT_APPROVED',
    arrange: async (participant) => ({
      clickId: (await buildClick(db, { participant, at: daysAgo(1), creditable: false })).id,
    }),
  },
  {
    name: 'an erased partner',
    reason: 'PARTNER_ERASED',
    arrange: async (participant) => {
      const promoCode = (await buildPromoCode(db, participant)).code;
      await execute(db, 'UPDATE participants SET erased_at = $2 WHERE id = $1', [
        participant.id,
        now,
      ]);
      return { promoCode };
    },
  },
  {
    name: 'a paused programme',
    reason: 'PROGRAM_NOT_ACTIVE',
    arrange: async (participant) => {
      const promoCode = (await buildPromoCode(db, participant)).code;
      await execute(db, `UPDATE programs SET status = 'paused' WHERE id = $1`, [
        participant.programId,
      ]);
      return { promoCode };
    },
  },
  {
    name: "a partner's own purchase, where that is rejected",
    reason: 'FRAUD_REJECTED',
    arrange: async (participant) => {
      await execute(
        db,
        `INSERT INTO program_fraud_rules (program_id, workspace_id, mode, rules, updated_at)
         VALUES ($1, $2, $3, $4, now())`,
        [
          participant.programId,
          participant.workspaceId,
          participant.mode,
          { self_referral_email: { action: 'reject', threshold: null } },
        ],
      );
      return {
        promoCode: (await buildPromoCode(db, participant)).code,
        prospect: { email: participant.partnerEmail.toUpperCase(), hash: 'hash' },
      };
    },
  },
];

describe.each(cases)('$name', ({ reason, arrange }) => {
  it(`is told as ${reason}, by the dry run and the report alike`, async () => {
    const participant = await buildParticipant(db);
    const scope = scopeOf(participant);
    const report = buildReport(await arrange(participant));

    const dry = await dryRunConversion(db, { scope, now }, report);
    expect(await rowsOf(scope)).toEqual(nothing);

    const real = await recordConversion(db, { scope, now }, report);
    expect(real).toMatchObject({ reason, attributed: reason === 'ATTRIBUTED' });
    expect(withoutIds(dry)).toEqual(withoutIds(real));
    expect(await rowsOf(scope)).toMatchObject({
      conversions: 1,
      attribution_decisions: 1,
      commissions: reason === 'ATTRIBUTED' ? 1 : 0,
    });
  });
});

function withoutIds(record: ConversionRecord): unknown {
  const { id: _id, commission, ...rest } = record;
  return { ...rest, commission: commission && { ...commission, id: '' } };
}

describe('two signals', () => {
  it('of different partners credit the one of the promo code, and the trace names both', async () => {
    const program = await buildProgram(db);
    const ann = await buildParticipant(db, { program });
    const bob = await buildParticipant(db, { program });
    const click = await buildClick(db, { participant: ann, at: daysAgo(1) });
    const { code } = await buildPromoCode(db, bob);
    const report = buildReport({ clickId: click.id, promoCode: code });
    const conversion = await recordConversion(db, { scope: scopeOf(ann), now }, report);

    expect(conversion).toMatchObject({ matchedBy: 'promo_code', participantId: bob.id });
    const [decision] = await query<{ trace: { candidates: { participant: { id: string } }[] } }>(
      db,
      'SELECT trace FROM attribution_decisions WHERE conversion_id = $1',
      [conversion.id],
    );
    expect(decision?.trace.candidates.map(({ participant }) => participant.id)).toEqual([
      ann.id,
      bob.id,
    ]);
  });

  it('of this workspace and of another: the foreign one is unknown', async () => {
    const participant = await buildParticipant(db);
    const foreign = await buildClick(db, { at: daysAgo(1) });
    const { code } = await buildPromoCode(db, participant);
    const report = buildReport({ clickId: foreign.id, promoCode: code });
    const conversion = await recordConversion(db, { scope: scopeOf(participant), now }, report);
    expect(conversion).toMatchObject({ attributed: true, matchedBy: 'promo_code' });
    const alone = buildReport({ clickId: foreign.id });
    const unattributed = await recordConversion(db, { scope: scopeOf(participant), now }, alone);
    expect(unattributed).toMatchObject({
      reason: 'CLICK_NOT_FOUND',
      programId: null,
      matchedBy: null,
    });
  });
});

describe('refusals', () => {
  it('store nothing', async () => {
    const participant = await buildParticipant(db);
    const scope = scopeOf(participant);
    const otherMode: Scope = { ...scope, mode: scope.mode === 'live' ? 'test' : 'live' };
    const click = await buildClick(db, { participant, at: daysAgo(1) });

    const none = await refusalOf(recordConversion(db, { scope, now }, buildReport()));
    expect(none.code).toBe('NO_ATTRIBUTION_SIGNAL');
    const mismatch = buildReport({ clickId: click.id, promoCode: 'NOBODYS' });
    const refusal = await refusalOf(recordConversion(db, { scope: otherMode, now }, mismatch));
    expect(refusal.code).toBe('MODE_MISMATCH');
    const early = buildReport({
      clickId: click.id,
      occurredAt: new Date(now.getTime() + 5 * 60_000 + 1),
    });
    expect((await refusalOf(recordConversion(db, { scope, now }, early))).code).toBe(
      'VALIDATION_ERROR',
    );
    expect(await rowsOf(scope)).toEqual(nothing);
  });

  it('a code of the other mode is MODE_MISMATCH, unless this mode has it too', async () => {
    const live = await buildParticipant(db, { mode: 'live' });
    const { workspaceId } = live;
    const { code } = await buildPromoCode(db, live);
    const test: Scope = { workspaceId, mode: 'test' };
    const report = buildReport({ promoCode: code });
    expect((await refusalOf(recordConversion(db, { scope: test, now }, report))).code).toBe(
      'MODE_MISMATCH',
    );

    const own = await buildParticipant(db, { workspaceId, mode: 'test' });
    await buildPromoCode(db, own, { code });
    expect(await recordConversion(db, { scope: test, now }, report)).toMatchObject({
      participantId: own.id,
    });
  });

  it('a duplicate goes before a mode mismatch', async () => {
    const participant = await buildParticipant(db);
    const first = await buildConversion(db, { participant });
    const otherMode: Scope = { workspaceId: participant.workspaceId, mode: 'test' };
    const testPartner = await buildParticipant(db, { ...otherMode });
    const { code } = await buildPromoCode(db, testPartner);
    const again = buildReport({
      externalTransactionId: first.externalTransactionId,
      promoCode: code,
    });
    const refusal = await refusalOf(
      recordConversion(db, { scope: scopeOf(participant), now }, again),
    );
    expect(refusal.code).toBe('CONVERSION_DUPLICATE');
  });
});

describe('the same payment', () => {
  it('is recorded once, under every id it is known by, also inside an open transaction', async () => {
    const participant = await buildParticipant(db);
    const first = await buildConversion(db, {
      participant,
      source: 'stripe',
      externalTransactionId: 'pi_1',
      aliases: ['cs_1', 'ch_1', 'pi_1'],
    });
    const { code } = await buildPromoCode(db, participant);
    for (const externalTransactionId of ['pi_1', 'cs_1', 'ch_1']) {
      const again = buildReport({ externalTransactionId, promoCode: code });
      const work = transaction(db, (tx) =>
        recordConversion(tx, { scope: scopeOf(participant), now }, again),
      );
      const refusal = await refusalOf(work);
      expect(refusal.code).toBe('CONVERSION_DUPLICATE');
      expect(refusal.headers['Location']).toBe(`/api/v1/conversions/${first.id}`);
    }
    expect(await rowsOf(scopeOf(participant))).toMatchObject({ conversions: 1, commissions: 1 });
  });

  it('reported 200 times at once makes one conversion and 199 duplicates of it', async () => {
    const participant = await buildParticipant(db);
    const { code } = await buildPromoCode(db, participant);
    const report = buildReport({ promoCode: code });
    const results = await Promise.all(
      Array.from({ length: 200 }, () =>
        recordConversion(db, { scope: scopeOf(participant), now }, report).catch(
          (error: unknown) => error,
        ),
      ),
    );
    const recorded = results.filter((result) => !(result instanceof Error)) as ConversionRecord[];
    const refused = results.filter((result) => result instanceof AppError);
    expect([recorded.length, refused.length]).toEqual([1, 199]);
    const location = `/api/v1/conversions/${recorded[0]?.id}`;
    expect(new Set(refused.map((refusal) => refusal.headers['Location']))).toEqual(
      new Set([location]),
    );
    expect(await rowsOf(scopeOf(participant))).toMatchObject({
      conversions: 1,
      commissions: 1,
      ledger_entries: 1,
      events: 2,
    });
  });

  it('reported at once under ids that overlap crosswise is recorded once, without a dead lock', async () => {
    const participant = await buildParticipant(db);
    const { code } = await buildPromoCode(db, participant);
    const ids = ['in_9', 'pi_9', 'ch_9', 'cs_9'];
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const [externalTransactionId = '', ...aliases] = rotated(ids, index);
        const report = buildReport({ externalTransactionId, aliases, promoCode: code });
        return recordConversion(db, { scope: scopeOf(participant), now }, report).catch(
          (error: unknown) => error,
        );
      }),
    );
    expect(results.filter((result) => !(result instanceof Error))).toHaveLength(1);
    expect(results.filter((result) => result instanceof AppError)).toHaveLength(39);
  });
});

function rotated<T>(list: T[], by: number): T[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

describe('a renewal', () => {
  const credit = (participant: BuiltParticipant, firstPaidAt: Date) => ({
    source: 'stripe' as const,
    eventType: 'renewal',
    credit: { participantId: participant.id, firstPaidAt, refusal: null },
  });

  it.each([
    ['earns while the terms recur', { recurring: true }, 'approved', 2_000],
    ['earns nothing when they do not', { recurring: false }, 'approved', null],
    ['earns in the boundary month', { recurring: true, recurringMonths: 12 }, 'approved', 2_000],
    ['earns nothing after it', { recurring: true, recurringMonths: 11 }, 'approved', null],
    ['earns nothing for a suspended partner', { recurring: true }, 'suspended', null],
  ] as const)('%s', async (_name, terms, status, amountCents) => {
    const program = await buildProgram(db, { ...terms });
    const participant = await buildParticipant(db, { program, status });
    const conversion = await buildConversion(db, {
      participant,
      ...credit(participant, new Date('2025-03-31T23:59:59Z')),
      occurredAt: new Date('2026-03-01T00:00:00Z'),
    });
    expect(conversion).toMatchObject({
      attributed: true,
      matchedBy: null,
      participantId: participant.id,
      explanation: 'A renewal, credited to the partner of the first payment.',
    });
    expect(conversion.commission?.amountCents ?? null).toBe(amountCents);
  });
});

it('takes a report again after a lost connection without calling its own first try a duplicate', async () => {
  const participant = await buildParticipant(db);
  const { code } = await buildPromoCode(db, participant);
  const scope = scopeOf(participant);
  // A programme's first commission goes by another statement.
  await recordConversion(db, { scope, now }, buildReport({ promoCode: code }));
  const report = buildReport({ promoCode: code });
  const { flaky, breaks } = breakAfterCommit(db);
  const conversion = await recordConversion(flaky, { scope, now }, report);
  expect(breaks()).toBe(1);
  expect(conversion).toMatchObject({ attributed: true, commission: { amountCents: 2_000 } });
  expect(await rowsOf(scope)).toMatchObject({ conversions: 2, commissions: 2 });
});

/** The connection breaks once, when the write was committed and its answer is on the way. */
function breakAfterCommit(healthy: Db): { flaky: Db; breaks: () => number } {
  let breaks = 0;
  const createQueryRunner = (): ReturnType<Db['dataSource']['createQueryRunner']> => {
    const runner = healthy.dataSource.createQueryRunner();
    const connect = runner.connect.bind(runner);
    runner.connect = async (): Promise<unknown> => {
      const client = (await connect()) as { query(...args: unknown[]): Promise<unknown> };
      return {
        query: async (...args: [{ name?: string }, ...unknown[]]) => {
          const result = await client.query(...args);
          if (!args[0].name?.startsWith('write_conversions') || breaks > 0) return result;
          breaks += 1;
          throw new Error('Connection terminated unexpectedly');
        },
      };
    };
    return runner;
  };
  const dataSource = { createQueryRunner, options: {} } as unknown as Db['dataSource'];
  const flaky = { dataSource, connection: dataSource } as unknown as Db;
  return { flaky, breaks: () => breaks };
}
