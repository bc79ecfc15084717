import {
  bindingSources,
  isOfBiller,
  type BindingSource,
} from '../../../entities/rules/customers/binding';
import {
  bindingsOf,
  boundWhenPaid,
  handBefore,
  type BindingFact,
} from '../../../entities/rules/customers/bindings';

const at = (seconds: number, ms = 0) => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000 + ms);

/** Who it says the customer is of, by what, when, and from when on where that is another moment. */
function fact(
  participantId: string | null,
  source: BindingSource,
  seconds: number,
  speaksFrom = seconds,
): BindingFact {
  const programId = participantId === null ? null : 'programme';
  return { participantId, programId, source, boundAt: at(seconds), speaksFrom: at(speaksFrom) };
}

/** `[who, by what, from, until]` in seconds. */
const told = (facts: readonly BindingFact[]) =>
  bindingsOf(facts).map(({ fact: { participantId, source }, from, until }) => [
    `${participantId} ${source}`,
    from && (from.getTime() - at(0).getTime()) / 1_000,
    until && (until.getTime() - at(0).getTime()) / 1_000,
  ]);

it.each<[string, BindingFact[], unknown[]]>([
  ['nobody without a fact', [], []],
  ['theirs of the first fact', [fact('ann', 'signup', 5)], [['ann signup', 5, null]]],
  [
    'theirs of the sign-up from its click on, where it tells no time',
    [fact('ann', 'signup', 5, 2)],
    [['ann signup', 2, null]],
  ],
  [
    'theirs of the earliest, for ever',
    [fact('ben', 'conversion', 9), fact('ann', 'signup', 5)],
    [['ann signup', 5, null]],
  ],
  [
    'theirs of the sign-up, of a sign-up and a sale at one moment',
    [fact('ben', 'conversion', 5), fact('ann', 'signup', 5)],
    [['ann signup', 5, null]],
  ],
  [
    'theirs of what happened in the second that a processor names',
    [fact('ben', 'stripe', 5), { ...fact('ann', 'conversion', 5), boundAt: at(5, 998) }],
    [['ann conversion', 5, null]],
  ],
  [
    'theirs of the processor’s second before the next one',
    [fact('ann', 'conversion', 6), fact('ben', 'stripe', 5)],
    [['ben stripe', 5, null]],
  ],
  [
    'by hand theirs for what was paid before as well, where nobody had the customer',
    [fact('cleo', 'manual', 9)],
    [['cleo manual', null, null]],
  ],
  [
    'by hand theirs from then on, where somebody had',
    [fact('cleo', 'manual', 9), fact('ann', 'signup', 5)],
    [
      ['ann signup', 5, 9],
      ['cleo manual', 9, null],
    ],
  ],
  [
    'by hand nobody else’s, whatever happens later',
    [fact('cleo', 'manual', 9), fact('ann', 'signup', 10)],
    [['cleo manual', null, null]],
  ],
  [
    'by hand theirs for all before, of a fact at that moment',
    [fact('cleo', 'manual', 9), fact('ann', 'signup', 9)],
    [['cleo manual', null, null]],
  ],
  [
    'by two hands one after the other’s',
    [fact('dan', 'manual', 12), fact('cleo', 'manual', 9)],
    [
      ['cleo manual', null, 12],
      ['dan manual', 12, null],
    ],
  ],
  [
    'nobody’s after a hand took it away, until something binds again',
    [fact('ann', 'signup', 5), fact(null, 'manual', 9), fact('ben', 'conversion', 12)],
    [
      ['ann signup', 5, 9],
      ['ben conversion', 12, null],
    ],
  ],
  [
    'theirs of what happens at the very moment of the unbinding',
    [fact(null, 'manual', 9), fact('ben', 'conversion', 9)],
    [['ben conversion', 9, null]],
  ],
  [
    'theirs no earlier than the unbinding, whenever their click was',
    [fact(null, 'manual', 9), fact('ben', 'signup', 12, 3)],
    [['ben signup', 9, null]],
  ],
  ['nobody’s whom a hand took away', [fact(null, 'manual', 9)], []],
  [
    'from their own moment on, where an unbinding that nothing preceded lies before a hand',
    [fact(null, 'manual', 9), fact('cleo', 'manual', 12)],
    [['cleo manual', 12, null]],
  ],
])('a customer is %s', (_rule, facts, history) => {
  expect(told(facts)).toEqual(history);
  // The history is the same in whatever order the facts were told.
  expect(told(facts.toReversed())).toEqual(history);
});

describe('a payment', () => {
  const history = bindingsOf([
    fact('ann', 'signup', 5),
    fact('cleo', 'manual', 9),
    fact(null, 'manual', 20),
  ]);
  const payer = (from: Date, until = from) =>
    boundWhenPaid(history, { at: from, until })?.fact.participantId;

  it.each<[string, Date, Date | undefined, string | undefined]>([
    ['before anybody had the customer is nobody’s', at(4), undefined, undefined],
    ['at the moment of the sign-up is theirs who brought them', at(5), undefined, 'ann'],
    ['of a second in which they signed up is theirs', at(4, 500), at(5, 499), 'ann'],
    ['just before a hand is theirs who had them', at(8, 999), undefined, 'ann'],
    ['of a second that a hand cuts is theirs who had them before', at(8, 500), at(9, 499), 'ann'],
    ['at the moment of a hand is theirs to whom it gave them', at(9), undefined, 'cleo'],
    ['until an unbinding is theirs', at(19, 999), undefined, 'cleo'],
    ['from an unbinding on is nobody’s', at(20), undefined, undefined],
  ])('goes to whose the customer was: %s', (_rule, from, until, whose) => {
    expect(payer(from, until)).toBe(whose);
  });

  it('before a hand is theirs to whom it gave a customer of nobody', () => {
    const all = bindingsOf([fact('cleo', 'manual', 9)]);
    expect(boundWhenPaid(all, { at: at(1), until: at(1) })?.fact.participantId).toBe('cleo');
  });

  it('of a second that a hand cuts is nobody’s where nobody had them before', () => {
    const all = bindingsOf([fact(null, 'manual', 9), fact('cleo', 'manual', 12)]);
    expect(boundWhenPaid(all, { at: at(11, 500), until: at(12, 499) })).toBeUndefined();
  });

  it('has the last hand before it, if there is one', () => {
    const hands = [fact('dan', 'manual', 12), fact('cleo', 'manual', 9), fact('ann', 'signup', 10)];
    const handAt = (seconds: number) =>
      handBefore(hands, { at: at(seconds), until: at(99) })?.participantId;
    expect([8, 9, 11, 12, 13].map(handAt)).toEqual([undefined, 'cleo', 'cleo', 'dan', 'dan']);
  });
});

it('knows which sources are billers', () => {
  expect(bindingSources.filter(isOfBiller)).toEqual(['stripe', 'paddle', 'polar']);
});
