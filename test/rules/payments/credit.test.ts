import type { BindingFact } from '../../../entities/rules/customers/bindings';
import {
  creditedAs,
  creditOf,
  isCreditedAs,
  nothingSold,
  rankAfter,
  readCreditedAs,
  systemBefore,
  type Before,
  type Credit,
  type Payment,
  type Verdict,
} from '../../../entities/rules/payments/credit';
import { keptOf } from '../../../entities/rules/payments/duplicates';
import { waitsUntil } from '../../../entities/rules/payments/sale';

const on = (day: string): Date => new Date(`2026-${day}T12:00:00.000Z`);
const own: Verdict = { reason: 'ATTRIBUTED', participantId: 'bob', programId: 'other' };
const payment = (fields: Partial<Payment> = {}): Payment => ({
  ...{ id: 'v', externalId: 'v', toldBy: 'report', amountCents: 10_000 },
  paid: { at: on('05-15'), until: on('05-15') },
  ...{ periodAt: on('05-15'), begins: false, subscription: null, subscriptionBeganAt: null },
  ...{ customer: 'user', own: null, isFromTrialCheckout: false, mayHaveCheckout: false },
  ...{ canAsk: false, failedFor: null, isCredited: false },
  ...fields,
});
const imported = (fields: Partial<BindingFact> = {}): BindingFact => ({
  ...{ participantId: 'ann', programId: 'program', source: 'import' },
  ...{ boundAt: on('05-01'), speaksFrom: on('05-01'), cutover: on('06-01') },
  ...fields,
});
const before = (fact: BindingFact, fields: Partial<Before> = {}): Before => ({
  ...{ ofSubscription: null, subscriptionBeganAt: null, firsts: new Map(), isWaitedFor: false },
  bindings: [{ fact, from: fact.speaksFrom, until: null }],
  bindingFacts: [fact],
  ...fields,
});

describe('what the system before an import has dealt with', () => {
  const isDealtWith = (fields: Partial<Payment>, fact = imported()) =>
    systemBefore(payment(fields), [fact]) !== undefined;

  it('is what an imported customer paid up to the cutover, and nobody credited here', () => {
    const paid = (day: string) => ({ paid: { at: on(day), until: on(day) } });
    expect(isDealtWith({})).toBe(true);
    expect(isDealtWith(paid('06-01'))).toBe(true);
    expect(isDealtWith(paid('06-02'))).toBe(false);
    expect(isDealtWith({ isCredited: true })).toBe(false);
    const { isCredited: _decided, ...forGood } = payment();
    expect(systemBefore(forGood, [imported()])).toBeUndefined();
    expect(isDealtWith({}, imported({ cutover: null }))).toBe(false);
  });

  it('is credited to nobody, whatever its own signals say', () => {
    const fact = imported();
    const first = { paidAt: on('02-01'), periodAt: on('02-01'), payments: 3 };
    const given = before(fact, { firsts: new Map([['program', first]]) });
    expect(creditOf(payment({ own }), given)).toEqual({
      ...{ kind: 'renewed', by: 'customer', participantId: 'ann', programId: 'program' },
      ...{ refusal: 'BEFORE_CUTOVER', first, binding: given.bindings[0] },
    });
    // A payment before the customer was the partner's there is refused, too.
    const earlier = payment({ own, paid: { at: on('04-01'), until: on('04-01') } });
    expect(creditOf(earlier, before(fact, { bindings: [] }))).toMatchObject({
      ...{ refusal: 'BEFORE_CUTOVER', first: null, binding: null },
    });
    expect(creditOf(payment({ own, isCredited: true }), before(fact))).toEqual({ kind: 'own' });
    expect(creditOf(payment({ own }), before(imported({ cutover: null })))).toEqual({
      kind: 'own',
    });
    for (const gone of [{ participantId: null }, { programId: null }]) {
      expect(creditOf(payment({ own }), before(imported(gone)))).toEqual({ kind: 'own' });
    }
  });

  it('is refused by the customer too where it has no signal that holds', () => {
    const failed: Verdict = { ...own, reason: 'CLICK_EXPIRED' };
    for (const none of [null, failed]) {
      expect(creditOf(payment({ own: none }), before(imported()))).toMatchObject({
        ...{ kind: 'renewed', refusal: 'BEFORE_CUTOVER' },
      });
    }
    const later = payment({ paid: { at: on('06-02'), until: on('06-02') } });
    expect(creditOf(later, before(imported()))).toMatchObject({ refusal: null, first: null });
  });
});

describe('which payment of its customer it is', () => {
  const first = { paidAt: on('01-15'), periodAt: on('01-10'), payments: 4 };

  it.each<[string, Partial<Payment>, typeof first | null, object | null]>([
    ['nothing paid is none', { amountCents: 0 }, null, null],
    ['the first is number 1 of month 0', {}, null, { number: 1, month: 0, since: on('05-15') }],
    ['a later one counts on', {}, first, { number: 5, month: 4, since: on('01-15') }],
  ])('its number among the payments: %s', (_what, fields, known, rank) => {
    expect(rankAfter(payment(fields), known)).toEqual(rank);
  });

  it('is the second where an earlier release did not count', () => {
    expect(rankAfter(payment(), { ...first, payments: null })).toMatchObject({ number: 2 });
  });
});

describe('a credit in short', () => {
  const sold = { items: 'i1', metadata: 'm1' };
  const rank = { number: 2, month: 1, since: on('04-01') };
  const renewed: Extract<Credit, { kind: 'renewed' }> = {
    ...{ kind: 'renewed', by: 'customer', participantId: 'ann', programId: 'program' },
    ...{ refusal: null, first: null, binding: null },
  };
  const arrivedAt = on('05-16');
  const short = (credit: typeof renewed | { kind: 'own' }, given = { rank, sold }) =>
    creditedAs(payment({ own }), credit, { ...given, arrivedAt });

  it('says by what, whom, which payment, and what was sold', () => {
    expect(short({ kind: 'own' })).toBe(
      'own:ATTRIBUTED:bob:10000#2/1/2026-04-01T12:00:00.000Z~i1~m1@2026-05-16T12:00:00.000Z',
    );
    const bare = { rank: null, sold: nothingSold, arrivedAt };
    expect(creditedAs(payment(), { kind: 'own' }, bare)).toBe(
      'own:::10000#~~@2026-05-16T12:00:00.000Z',
    );
    expect(short(renewed, { rank: null as never, sold })).toBe(
      'customer:ann::first:10000#~i1~m1@2026-05-16T12:00:00.000Z',
    );
    const first = { paidAt: on('01-15'), periodAt: on('01-10'), payments: 4 };
    const refused = { ...renewed, first, refusal: 'FRAUD_REJECTED' as const };
    expect(short(refused)).toBe(
      'customer:ann:FRAUD_REJECTED:2026-01-10T12:00:00.000Z/2026-05-15T12:00:00.000Z:10000' +
        '#2/1/2026-04-01T12:00:00.000Z~i1~m1@2026-05-16T12:00:00.000Z',
    );
  });

  it.each([
    [null, 'own:a#~~', false],
    ['own:a', 'own:a#1/0/x~~', true],
    ['own:a', 'own:b#1/0/x~~', false],
    ['own:a#1~i~m', 'own:a#1~i~m', true],
    ['own:a#1~i~m', 'own:a#1~j~m', false],
    ['own:a#1~i~m', 'own:a#1~i~n', false],
    // An erasure has taken the metadata.
    ['own:a#1~i~m', 'own:a#1~i~', true],
    ['own:a#1~i~m', 'own:a#1~j~', false],
    ['own:a#1~i~', 'own:a#1~i~m', false],
    ['own:a#1~i~m@t1', 'own:a#1~i~m@t1', true],
    ['own:a#1~i~m@t2', 'own:a#1~i~m@t1', false],
    ['own:a#1~i~m@t1', 'own:a#1~i~@t1', true],
    // Earlier releases wrote no arrival.
    ['own:a#1~i~m', 'own:a#1~i~m@t1', true],
    ['own:a', 'own:a#1/0/x~~@t1', true],
  ])('%s is as good as %s: %s', (stored, now, is) => {
    expect(isCreditedAs(stored, now)).toBe(is);
  });

  it('is read again, also as earlier releases wrote it', () => {
    const paidAt = on('05-15');
    const read = (stored: string | null) => readCreditedAs(stored, paidAt);
    expect(read(short({ kind: 'own' }))).toEqual({ isOwn: true, rank });
    expect(read(short(renewed))).toEqual({ isOwn: false, rank });
    const only = { number: 1, month: 0, since: paidAt };
    expect(read(null)).toEqual({ isOwn: true, rank: only });
    expect(read('own:ATTRIBUTED:bob:10000')).toEqual({ isOwn: true, rank: only });
    expect(read('customer:ann::first:10000')).toEqual({ isOwn: false, rank: only });
    const months = '2026-01-10T12:00:00.000Z/2026-05-15T12:00:00.000Z';
    expect(read(`customer:ann::${months}:10000`)).toEqual({
      isOwn: false,
      rank: { number: 2, month: 4, since: on('01-10') },
    });
  });
});

describe('of conversions that are one payment', () => {
  const one = (status: Parameters<typeof keptOf>[0][number]['status'], isYielding = false) => ({
    status,
    isYielding,
  });

  it('the one whose commission stands is kept, then the oldest', () => {
    const order = ['paid', 'approved', 'pending', 'refunded', 'rejected', null] as const;
    for (const [n, status] of order.entries()) {
      const worse = order.slice(n + 1).map((other) => one(other));
      expect(keptOf([...worse, one(status)])?.status).toBe(status);
    }
    const twins = [one('paid'), one('paid')];
    expect(keptOf(twins)).toBe(twins[0]);
    expect(keptOf([])).toBeUndefined();
  });

  it('a report that yields is the last of all', () => {
    const sale = one(null);
    expect(keptOf([one('paid', true), sale])).toBe(sale);
    const yielding = [one('rejected', true), one('pending', true)];
    expect(keptOf(yielding)).toBe(yielding[1]);
  });
});

it.each([
  ['charge', true, 2],
  ['charge', false, 10],
  ['invoice', true, 10],
  ['invoice', false, 10],
] as const)(
  'a payment by %s that can be asked for (%s) waits %i minutes',
  (toldBy, canAsk, minutes) => {
    const toldAt = on('05-15');
    const until = new Date(toldAt.getTime() + minutes * 60_000);
    expect(waitsUntil({ toldBy }, { toldAt, canAsk })).toEqual(until);
    expect(waitsUntil({ toldBy }, { toldAt: null, canAsk })).toEqual(new Date(minutes * 60_000));
  },
);
