import fc from 'fast-check';
import type { BindingFact } from '../../../entities/rules/customers/bindings';
import type { Credit, Payment, Verdict } from '../../../entities/rules/payments/credit';
import { creditTimeline } from '../../../entities/rules/payments/timeline';

const day = 86_400_000;
const begin = Date.parse('2026-01-01T12:00:00Z');
const on = (days: number): Date => new Date(begin + days * day);
const [programId, otherProgram] = ['program', 'other-program'];

const by = (participantId: string, of = programId): Verdict => ({
  reason: 'ATTRIBUTED',
  participantId,
  programId: of,
});
const failed = (reason: Verdict['reason'], participantId: string | null = null): Verdict => ({
  reason,
  participantId,
  programId: participantId && programId,
});

const payment = (id: string, days: number, fields: Partial<Payment> = {}): Payment => ({
  id,
  externalId: id,
  toldBy: 'report',
  paid: { at: on(days), until: on(days) },
  periodAt: on(days),
  amountCents: 100,
  begins: false,
  subscription: null,
  subscriptionBeganAt: null,
  customer: 'user',
  own: null,
  isFromTrialCheckout: false,
  mayHaveCheckout: false,
  canAsk: false,
  failedFor: null,
  ...fields,
});
const invoice = (id: string, days: number, fields: Partial<Payment> = {}): Payment =>
  payment(id, days, { toldBy: 'invoice', subscription: 'sub', ...fields });
const checkout = (id: string, days: number, fields: Partial<Payment> = {}): Payment =>
  payment(id, days, { toldBy: 'checkout', ...fields });

const fact = (
  source: BindingFact['source'],
  participantId: string | null,
  days: number,
  speaksFrom = days,
): BindingFact => ({
  source,
  participantId,
  programId: participantId && programId,
  boundAt: on(days),
  speaksFrom: on(speaksFrom),
});

/** A credit in a word or three: whom, by what, after which day's payment. */
function told(credit: Credit | undefined): string {
  if (credit?.kind !== 'renewed') return credit?.kind ?? 'missing';
  const { participantId, by: party, first, refusal } = credit;
  const after = first ? (first.paidAt.getTime() - begin) / day : 'first';
  return [participantId, party, refusal ?? after].join(' ');
}

function credits(payments: Payment[], facts: BindingFact[] = []): Record<string, string> {
  const bindingFacts = new Map([['user', facts]]);
  const credited = creditTimeline({ payments, bindingFacts });
  return Object.fromEntries(payments.map(({ id }) => [id, told(credited.credits.get(id))]));
}

describe('who is credited, by when things happened (payments.md, Credit follows the facts)', () => {
  const table: [rule: string, Payment[], BindingFact[], Record<string, string>][] = [
    [
      'a sale by a click is its partner’s, and binds the customer from then on',
      [payment('a', 1, { own: by('ann') }), payment('b', 2), payment('before', 0)],
      [],
      { a: 'own', b: 'ann customer 1', before: 'nobody' },
    ],
    [
      'a click that holds credits its sale alone: the customer stays who they were',
      [payment('a', 1, { own: by('ann') }), payment('b', 2, { own: by('bob') }), payment('c', 3)],
      [],
      { a: 'own', b: 'own', c: 'ann customer 1' },
    ],
    [
      'a sign-up speaks from its click, though it happened after the payment',
      [checkout('a', 1)],
      [fact('signup', 'ann', 2, 0)],
      { a: 'ann customer first' },
    ],
    [
      'of a sign-up and a sale the earlier binds',
      [payment('a', 1, { own: by('bob') }), payment('b', 3)],
      [fact('signup', 'ann', 2, 0)],
      { a: 'own', b: 'bob customer 1' },
    ],
    [
      'a signal that fails gives way to the customer’s partner',
      [payment('a', 2, { own: failed('CLICK_EXPIRED', 'bob') })],
      [fact('signup', 'ann', 1)],
      { a: 'ann customer first' },
    ],
    [
      'a hand binds for what was paid before, of one whom nobody ever had',
      [payment('a', 0), payment('b', 2)],
      [fact('manual', 'ann', 1)],
      { a: 'ann customer first', b: 'ann customer 0' },
    ],
    [
      'a hand that binds anew takes nothing of what was paid before it',
      [payment('a', 1), payment('b', 3), payment('before', -1)],
      [fact('signup', 'ann', 0), fact('manual', 'bob', 2)],
      { a: 'ann customer first', b: 'bob customer 1', before: 'nobody' },
    ],
    [
      'a subscription goes on with its first partner, whatever its invoices carry',
      [invoice('a', 0, { own: by('ann') }), invoice('b', 30, { own: by('bob') })],
      [],
      { a: 'own', b: 'ann subscription 0' },
    ],
    [
      'after a hand a subscription follows the customer',
      [invoice('a', 0, { own: by('ann') }), invoice('b', 30)],
      [fact('manual', 'bob', 20)],
      { a: 'own', b: 'bob customer 0' },
    ],
    [
      'a subscription begun before an unbinding credits nobody again, whatever binds later',
      [
        invoice('a', 0, { own: by('ann') }),
        invoice('b', 30),
        checkout('c', 40, { own: by('bob') }),
        invoice('d', 60),
        invoice('new', 70, { subscription: 'sub2', own: by('bob') }),
        invoice('next', 100, { subscription: 'sub2' }),
      ],
      [fact('manual', null, 20)],
      {
        a: 'own',
        b: 'nobody',
        c: 'own',
        d: 'nobody',
        new: 'bob customer 0',
        next: 'bob subscription 0',
      },
    ],
    [
      'an unbinding leaves what was paid before it',
      [payment('a', 1), payment('b', 3)],
      [fact('signup', 'ann', 0), fact('manual', null, 2)],
      { a: 'ann customer first', b: 'nobody' },
    ],
    [
      'what a first payment was refused for good for, its subscription is',
      [invoice('a', 0, { own: failed('FRAUD_REJECTED', 'ann') }), invoice('b', 30)],
      [],
      { a: 'own', b: 'ann subscription FRAUD_REJECTED' },
    ],
    [
      'an invoice of a returning customer is a renewal, whatever its metadata says',
      [checkout('a', 0, { own: by('ann') }), invoice('b', 5, { own: by('bob') })],
      [],
      { a: 'own', b: 'ann customer 0' },
    ],
    [
      'but a trial that a checkout with a click began is a sale of its own',
      [
        checkout('a', 0, { own: by('ann') }),
        invoice('b', 5, { own: by('bob'), isFromTrialCheckout: true }),
      ],
      [],
      { a: 'own', b: 'own' },
    ],
    [
      'unless a member gave the customer away since it began',
      [invoice('b', 5, { own: by('bob'), isFromTrialCheckout: true }), invoice('c', 36)],
      [fact('manual', 'ann', 4)],
      { b: 'ann customer first', c: 'ann customer 5' },
    ],
    [
      'and a trial whose click had expired is its customer’s partner’s',
      [invoice('b', 5, { own: failed('CLICK_EXPIRED', 'bob'), isFromTrialCheckout: true })],
      [fact('signup', 'ann', 0)],
      { b: 'ann customer first' },
    ],
    [
      'months are counted within a programme',
      [payment('a', 0, { own: by('ann', otherProgram) }), payment('b', 1, { own: by('bob') })],
      [],
      { a: 'own', b: 'own' },
    ],
    [
      'what was paid for nothing is no first payment',
      [payment('lead', 0, { own: by('ann'), amountCents: 0 }), payment('b', 1)],
      [],
      { lead: 'own', b: 'ann customer first' },
    ],
    [
      'a partner who could not be credited when it was told leaves the next to be the first',
      [payment('a', 1, { failedFor: 'ann' }), payment('b', 2)],
      [fact('signup', 'ann', 0)],
      { a: 'ann customer first', b: 'ann customer first' },
    ],
    [
      'of one moment the first invoice comes first, then the smaller id',
      [checkout('a', 0), checkout('b', 0), invoice('z', 0, { begins: true })],
      [fact('signup', 'ann', -1)],
      { z: 'ann customer first', a: 'ann customer 0', b: 'ann customer 0' },
    ],
  ];
  it.each(table)(
    'credits follow the facts, in either order: %s',
    (_rule, payments, facts, expected) => {
      expect(credits(payments, facts)).toEqual(expected);
      expect(credits(payments.toReversed(), facts.toReversed())).toEqual(expected);
    },
  );
});

describe('what waits for a checkout that is not told yet', () => {
  const waiting = { begins: true, mayHaveCheckout: true };

  it('is a first invoice that the customer alone would credit, and what depends on it', () => {
    const facts = [fact('signup', 'ann', -1)];
    const first = invoice('first', 0, waiting);
    expect(credits([first, invoice('upgrade', 1), payment('report', 2)], facts)).toEqual({
      first: 'waits',
      upgrade: 'waits',
      report: 'ann customer first',
    });
  });

  it('is a first invoice with a click of its own only while Stripe can be asked', () => {
    const clicked = { ...waiting, own: by('ann') };
    expect(credits([invoice('a', 0, clicked)])).toEqual({ a: 'own' });
    expect(credits([invoice('a', 0, { ...clicked, canAsk: true })])).toEqual({ a: 'waits' });
  });

  it('is a charge whose metadata names a click', () => {
    const charge = { toldBy: 'charge' as const, own: by('ann') };
    expect(credits([payment('a', 0, { ...charge, mayHaveCheckout: true })])).toEqual({
      a: 'waits',
    });
    expect(credits([payment('a', 0, charge)])).toEqual({ a: 'own' });
  });

  it('says what happens to the first invoice of a bound customer whose trial had a click', () => {
    const first = invoice('a', 10, {
      begins: true,
      own: by('bob'),
      isFromTrialCheckout: true,
      subscriptionBeganAt: on(0),
    });
    const earlier = checkout('earlier', -30, { own: by('ann') });
    expect(credits([earlier, first])).toEqual({ earlier: 'own', a: 'own' });
  });
});

describe('which payment of its customer each is, which is the first, and what binds', () => {
  const timeline = (payments: Payment[], facts: BindingFact[] = []) =>
    creditTimeline({ payments, bindingFacts: new Map(facts.length > 0 ? [['user', facts]] : []) });
  const ranksOf = ({ ranks }: ReturnType<typeof timeline>) =>
    Object.fromEntries(
      [...ranks].map(([id, rank]) => [id, rank && `${rank.number}/${rank.month}`]),
    );

  it('counts what is paid, of everybody by themselves', () => {
    const found = timeline([
      payment('lead', 0, { own: by('ann'), amountCents: 0 }),
      payment('a', 1, { own: by('ann') }),
      payment('b', 40),
      payment('guest', 50, { own: by('ann'), customer: null }),
      payment('nobody', 51, { customer: null }),
      payment('another', 60, { own: by('bob', otherProgram) }),
    ]);
    expect(ranksOf(found)).toEqual({
      ...{ lead: null, a: '1/0', b: '2/1', guest: '1/0', nobody: null, another: '1/0' },
    });
    const first = { paidAt: on(1), periodAt: on(1), payments: 2 };
    const other = { paidAt: on(60), periodAt: on(60), payments: 1 };
    expect([...found.firsts.keys()]).toEqual(['user']);
    expect(found.firsts.get('user')).toEqual(
      new Map([
        [programId, first],
        [otherProgram, other],
      ]),
    );
    expect(found.sales.get('user')).toMatchObject([{ paymentId: 'lead', source: 'conversion' }]);
  });

  it('binds by the biller who told of the sale, and by no later invoice', () => {
    const boundBy = (one: Payment) =>
      timeline([one])
        .sales.get('user')
        ?.map(({ source }) => source);
    expect(boundBy(checkout('a', 0, { own: by('ann') }))).toEqual(['stripe']);
    expect(boundBy(checkout('a', 0, { own: by('ann'), biller: 'paddle' }))).toEqual(['paddle']);
    expect(boundBy(invoice('a', 0, { own: by('ann'), begins: true }))).toEqual(['stripe']);
    expect(boundBy(payment('a', 0, { own: failed('CLICK_EXPIRED', 'ann') }))).toEqual([]);
    const later = timeline([invoice('a', 0), invoice('b', 1, { own: by('ann') })]);
    expect(later.sales.get('user')).toEqual([]);
    const ofAnother = timeline([
      invoice('a', 0),
      invoice('b', 1, { own: by('ann'), subscription: 'sub-2', begins: true }),
    ]);
    expect(ofAnother.sales.get('user')).toMatchObject([{ paymentId: 'b' }]);
  });

  it('goes on behind what an import says was paid first', () => {
    const bound = { ...fact('import', 'ann', -200), firstPaidAt: on(-100) };
    const found = timeline([payment('a', 0), payment('b', 31)], [bound]);
    expect(ranksOf(found)).toEqual({ a: '2/3', b: '2/4' });
    expect(found.firsts.get('user')?.get(programId)).toEqual({
      ...{ paidAt: on(-100), periodAt: on(-100), payments: 2 },
    });
    const taken = { ...bound, participantId: null, programId: null };
    expect(timeline([payment('a', 0)], [taken]).firsts.get('user')).toBeUndefined();
  });

  it('leaves out what the system before has dealt with: it is no first, and binds nobody', () => {
    const bound = { ...fact('import', 'ann', -2), cutover: on(5) };
    const before = { own: by('bob'), isCredited: false };
    const found = timeline([payment('old', 1, before), payment('new', 6)], [bound]);
    expect(ranksOf(found)).toEqual({ old: null, new: '1/0' });
    expect(found.sales.get('user')).toEqual([]);
    expect(found.credits.get('new')).toMatchObject({ participantId: 'ann', refusal: null });
  });

  it('counts nothing that is refused for good', () => {
    const refused = failed('FRAUD_REJECTED', 'ann');
    const found = timeline([invoice('a', 0, { own: refused, begins: true }), invoice('b', 30)]);
    expect(ranksOf(found)).toEqual({ a: null, b: null });
    expect(found.firsts.size).toBe(0);
    const expired = failed('CLICK_EXPIRED', 'ann');
    const after = timeline([invoice('a', 0, { own: expired, begins: true }), invoice('b', 30)]);
    expect(told(after.credits.get('b'))).toBe('nobody');
  });

  it('counts a subscription’s payments with its customer’s, each once', () => {
    const common = { subscription: 'sub', customer: null };
    const found = timeline([
      invoice('a', 0, { ...common, own: by('ann'), begins: true }),
      invoice('b', 31),
      payment('c', 62, { own: by('ann') }),
      invoice('d', 93),
    ]);
    expect(ranksOf(found)).toEqual({ a: '1/0', b: '2/1', c: '2/1', d: '4/3' });
  });

  it('takes equal times in order: what begins, then the smaller id', () => {
    const found = timeline([
      payment('b', 0, { own: by('ann') }),
      payment('a', 0, { own: by('ann') }),
      payment('c', 0, { own: by('ann'), begins: true }),
    ]);
    expect(ranksOf(found)).toEqual({ c: '1/0', a: '2/0', b: '3/0' });
  });
});

it('a timeline is the same whatever order the payments are given in', () => {
  const anyPayment = fc.record({
    days: fc.integer({ min: 0, max: 5 }),
    toldBy: fc.constantFrom('report' as const, 'checkout' as const, 'invoice' as const),
    subscription: fc.constantFrom('s1', 's2', null),
    own: fc.constantFrom(null, by('ann'), by('bob'), failed('CLICK_EXPIRED', 'ann')),
    amountCents: fc.constantFrom(0, 100),
    mayHaveCheckout: fc.boolean(),
  });
  const anyFact = fc.record({
    source: fc.constantFrom('signup' as const, 'manual' as const),
    participantId: fc.constantFrom('ann', 'bob', null),
    days: fc.integer({ min: 0, max: 5 }),
  });
  const orders = fc.array(anyPayment, { maxLength: 8 }).chain((all) => {
    const payments = all.map(({ days, ...fields }, n) => payment(`p${n}`, days, fields));
    const others = fc.shuffledSubarray(payments, { minLength: payments.length });
    return fc.tuple(fc.constant(payments), others);
  });
  fc.assert(
    fc.property(orders, fc.array(anyFact, { maxLength: 4 }), ([payments, other], facts) => {
      const binding = facts.map(({ source, participantId, days }, n) =>
        // No two facts of one moment: which of them came first nobody knows.
        fact(participantId === null ? 'manual' : source, participantId, days + n / 10),
      );
      expect(credits(other, binding.toReversed())).toEqual(credits(payments, binding));
    }),
    { numRuns: 300 },
  );
});
