import type { Scope } from '../../../../entities/rules/values/mode';
import { type Db, query } from '../../../../entities/database/sql';
import { buildClick } from '../../../support/build/clicks';
import { buildConversion, buildReport, recordConversion } from '../../../support/build/conversions';
import { buildParticipant, buildProgram, buildPromoCode } from '../../../support/build/programs';
import type { BuiltParticipant } from '../../../support/build/programs';
import { useDatabase } from '../../../support/data-source';
import { nothing, rowsOfReports } from '../../../support/stored/report-rows';

const database = useDatabase();
let db: Db;
const now = new Date();
const day = 86_400_000;
const daysAgo = (days: number): Date => new Date(now.getTime() - days * day);

beforeAll(async () => {
  db = database.source.manager;
});

const scopeOf = ({ workspaceId, mode }: BuiltParticipant): Scope => ({ workspaceId, mode });
const rowsOf = (scope: Scope) => rowsOfReports(db, scope);

describe('a report with a click (clicks.md, Attribution window)', () => {
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
      { topic: 'event_deliveries', events: 2 },
      { topic: 'event_notices', events: 2 },
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

describe('a renewal', () => {
  const credit = (
    { id: participantId, programId }: BuiltParticipant,
    [firstAt, periodAt]: [Date, Date],
  ) => ({
    source: 'stripe' as const,
    eventType: 'renewal',
    credit: {
      credit: {
        kind: 'renewed' as const,
        by: 'subscription' as const,
        participantId,
        programId,
        refusal: null,
        first: { paidAt: firstAt, periodAt: firstAt, payments: 1 },
        binding: null,
      },
      periodAt,
      arrivedAt: periodAt,
      isPart: false,
      creditedAs: '',
      rank: null,
      sold: { items: '', metadata: '' },
      stands: null,
    },
  });

  it.each([
    ['earns while the terms recur', { recurring: true }, 'approved', 2_000],
    ['earns nothing when they do not', { recurring: false }, 'approved', null],
    ['earns within its months', { recurring: true, recurringMonths: 12 }, 'approved', 2_000],
    ['earns nothing after them', { recurring: true, recurringMonths: 11 }, 'approved', null],
    ['earns nothing for a suspended partner', { recurring: true }, 'suspended', null],
  ] as const)('a renewal %s', async (_name, terms, status, amountCents) => {
    const program = await buildProgram(db, { ...terms });
    const participant = await buildParticipant(db, { program, status });
    const conversion = await buildConversion(db, {
      participant,
      ...credit(participant, [new Date('2025-03-31T23:59:59Z'), new Date('2026-03-01T00:00:00Z')]),
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
