import {
  candidateTraces,
  cutSignal,
  isConversionMetadata,
  maxEventTypeLength,
  maxSignalLength,
  maxTransactionIdLength,
  termsTrace,
} from '../../../entities/rules/attribution/conversion';
import type { Judgement } from '../../../entities/rules/attribution/attribute';

describe('what a conversion is told with', () => {
  it('is bounded', () => {
    expect([maxTransactionIdLength, maxEventTypeLength, maxSignalLength]).toEqual([255, 100, 255]);
  });

  it.each([
    ['short', 'short'],
    ['x'.repeat(256), 'x'.repeat(255)],
    // A text is never cut through a character.
    [`${'x'.repeat(254)}\u{1f600}`, 'x'.repeat(254)],
    [`${'x'.repeat(253)}\u{1f600}`, `${'x'.repeat(253)}\u{1f600}`],
  ])('a signal is kept cut: %#', (sent, kept) => {
    expect(cutSignal(sent)).toBe(kept);
  });
});

describe('metadata', () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
  const sized = (texts: number, rest: number) =>
    Object.fromEntries(
      [...Array<number>(texts).fill(500), rest].map((length, n) => [
        `k${10 + n}`,
        'x'.repeat(length),
      ]),
    );
  // {"k10":"xxx",...}: a text of 500 is 508 bytes with its key, quotes, colon and comma; the braces are two less a comma.
  const bytesOf = (value: object) => JSON.stringify(value).length;

  it.each<[string, unknown, boolean]>([
    ['nothing', {}, true],
    ['each kind of value', { a: 'x', b: 1.5, c: true, d: false, e: null }, true],
    ['a list', [], false],
    ['null', null, false],
    ['a text', 'text', false],
    ['undefined', undefined, false],
    ['an object inside', { a: {} }, false],
    ['a list inside', { a: [] }, false],
    ['one bad among good', { a: 1, b: {}, c: 2 }, false],
    ['no number', { a: Number.NaN }, false],
    ['an endless number', { a: Infinity }, false],
    ['twenty keys', keys(20), true],
    ['twenty-one keys', keys(21), false],
    ['a key without a name', { '': 1 }, false],
    ['a key of one character', { a: 1 }, true],
    ['a key of 40', { ['k'.repeat(40)]: 1 }, true],
    ['a key of 41', { ['k'.repeat(41)]: 1 }, false],
    ['a text of 500', { a: 'x'.repeat(500) }, true],
    ['a text of 501', { a: 'x'.repeat(501) }, false],
  ])('is within its bounds or refused: %s (%#)', (_name, value, expected) => {
    expect(isConversionMetadata(value)).toBe(expected);
  });

  it('has at most 8 KiB in all', () => {
    const most = sized(16, 8 * 1_024 - bytesOf(sized(16, 0)));
    const more = sized(16, 8 * 1_024 + 1 - bytesOf(sized(16, 0)));
    expect([bytesOf(most), bytesOf(more)]).toEqual([8_192, 8_193]);
    expect([isConversionMetadata(most), isConversionMetadata(more)]).toEqual([true, false]);
  });
});

describe('the trace of a decision', () => {
  const at = (text: string) => new Date(`2026-03-${text}Z`);
  const who = {
    programId: 'program',
    programStatus: 'active',
    participantId: 'ann',
    participantStatus: 'approved',
    erased: false,
    soldElsewhere: null,
  } as const;
  const program = { id: 'program', status: 'active' };
  const participant = { id: 'ann', status: 'approved', erased: false };
  const [clickedAt, windowEndsAt] = [at('01T10:00:00.000'), at('31T10:00:00.000')];
  const click = { clickId: 'c', linkId: 'l', clickedAt, windowEndsAt, creditable: true, ...who };
  const firstPaidAt = new Date('2026-01-10T10:00:00.000Z');
  const customer = { source: 'signup', boundAt: clickedAt, firstPaidAt, ...who } as const;
  const trace = (judgement: Judgement, occurred = { at: clickedAt, until: clickedAt }) =>
    candidateTraces(
      { reason: 'ATTRIBUTED', decisive: judgement, judgements: [judgement] },
      occurred,
    );
  const windowOf = (text: string, until = text) => {
    const judgement = { kind: 'click', candidate: click, failure: null } as const;
    return trace(judgement, { at: at(text), until: at(until) })[0]?.window;
  };

  it('tells of a click how it lies in its window', () => {
    const failed = { kind: 'click', candidate: click, failure: 'CLICK_EXPIRED' } as const;
    const occurred = at('31T10:00:01.500');
    expect(trace(failed, { at: occurred, until: occurred })).toEqual([
      {
        signal: 'click',
        outcome: 'CLICK_EXPIRED',
        program,
        participant,
        window: {
          clicked_at: '2026-03-01T10:00:00.000Z',
          occurred_at: '2026-03-31T10:00:01.500Z',
          window_ends_at: '2026-03-31T10:00:00.000Z',
          seconds_since_click: 2_592_001.5,
          seconds_to_end: -1.5,
          inside: false,
        },
        customer: null,
      },
    ]);
  });

  it.each([
    ['01T10:00:00.000', undefined, true],
    ['31T10:00:00.000', undefined, true],
    ['01T09:59:59.999', undefined, false],
    // A time of Stripe, whose second may have ended after the click.
    ['01T09:59:59.500', '01T10:00:00.499', true],
    ['31T10:00:00.001', undefined, false],
  ])('both ends are inside: %s to %s is %p', (from, until, inside) => {
    expect(windowOf(from, until)).toMatchObject({ inside });
  });

  it('tells of what leads nowhere nothing but that', () => {
    const nothing = { program: null, participant: null, window: null, customer: null };
    expect(trace({ kind: 'click', candidate: null, failure: 'CLICK_NOT_FOUND' })).toEqual([
      { signal: 'click', outcome: 'CLICK_NOT_FOUND', ...nothing },
    ]);
  });

  it('knows no window of a code', () => {
    const code = {
      kind: 'promo_code',
      candidate: { code: 'SAVE10', ...who },
      failure: null,
    } as const;
    expect(trace(code)).toEqual([
      {
        signal: 'promo_code',
        outcome: 'HOLDS',
        program,
        participant,
        window: null,
        customer: null,
      },
    ]);
  });

  it.each([
    [customer, '2026-01-10T10:00:00.000Z', 2],
    [{ ...customer, firstPaidAt: null }, null, 0],
  ])('counts the months of a customer: %#', (candidate, first_paid_at, months) => {
    const occurred = at('15T10:00:00.000');
    const told = trace(
      { kind: 'customer', candidate, failure: null },
      { at: occurred, until: occurred },
    );
    expect(told).toEqual([
      {
        signal: 'customer',
        outcome: 'HOLDS',
        program,
        participant,
        window: null,
        customer: {
          source: 'signup',
          bound_at: '2026-03-01T10:00:00.000Z',
          first_paid_at,
          months,
        },
      },
    ]);
  });

  it('names the terms as clients know them', () => {
    const terms = {
      rule: 'gold',
      source: 'rule',
      name: 'gold',
      groupId: 'g1',
      groupName: 'Gold',
      customerMonth: 0,
      paymentNumber: 1,
      type: 'percentage',
      rateBps: 2_000,
      amountCents: null,
      basis: 'net',
      recurring: true,
      recurringMonths: 12,
      holdDays: 30,
      autoApprove: true,
    } as const;
    expect(termsTrace(terms)).toEqual({
      type: 'percentage',
      rate_bps: 2_000,
      amount_cents: null,
      basis: 'net',
      recurring: true,
      recurring_months: 12,
      hold_days: 30,
      auto_approve: true,
    });
  });
});
