import {
  checkedKey,
  judgeWord,
  type WordMeaning,
  type WordOf,
} from '../../../entities/rules/payouts/judge-word';

const failed: WordOf = {
  status: 'paid',
  isLastBatch: true,
  outcome: 'paid',
  lastOutcome: 'paid',
  isPaidElsewhere: false,
  before: 'SUCCESS',
  wasPaid: true,
  word: 'FAILED',
  meaning: { kind: 'failed', isOurs: false },
  checked: [],
  isKnownPayment: false,
  isNamed: true,
  payment: 'own',
};

describe('a word that says that it did not go, of what is paid', () => {
  it.each<[string, Partial<WordOf>, object]>([
    ['that this batch paid: it has come back', {}, { to: 'returned' }],
    ['that a person said is paid, before any word', { before: null }, { to: 'returned' }],
    [
      'of what a person named another payment before any word: only they know which came back',
      { before: null, payment: 'untold' },
      { attention: 'word' },
    ],
    [
      'of what a person named another payment for, and has checked',
      { before: null, payment: 'untold', checked: ['word FAILED'] },
      {},
    ],
    [
      'of the very payment that a person named',
      { before: null, payment: 'untold', isKnownPayment: true },
      { to: 'returned' },
    ],
    [
      'that this batch paid beside another payment: that one stays',
      { payment: 'another' },
      { outcome: 'returned' },
    ],
    [
      'that this batch paid, too, of what came back by another payment before',
      { status: 'returned' },
      { outcome: 'returned' },
    ],
    ['as before: somebody paid it in another way since', { before: 'FAILED' }, {}],
    ['that this batch gave back: it was paid in another way', { outcome: 'released' }, {}],
    ['in other words, of what it gave back', { outcome: 'released', word: 'DENIED' }, {}],
    ['in other words, of what failed by it', { outcome: 'failed', word: 'DENIED' }, {}],
    ['that another batch pays, too', { isPaidElsewhere: true }, { outcome: 'returned' }],
    [
      'after it had paid, of what somebody paid without a name: it may be this payment',
      { outcome: 'released', isNamed: false },
      { attention: 'word' },
    ],
    [
      'after it had paid, of what another batch pays',
      { outcome: 'released', isNamed: false, isPaidElsewhere: true },
      {},
    ],
    [
      'of what it never paid, and somebody paid without a name',
      { outcome: 'failed', isNamed: false, wasPaid: false, word: 'DENIED' },
      {},
    ],
    [
      'once more, which somebody has checked',
      { outcome: 'released', isNamed: false, checked: ['word FAILED'] },
      {},
    ],
  ])('is judged %s', (_, told, judged) => {
    expect(judgeWord({ ...failed, ...told })).toEqual(judged);
  });
});

describe('a word of the batch that has the item', () => {
  const told = (meaning: WordMeaning, fields: Partial<WordOf> = {}): WordOf => ({
    ...{ status: 'sending', isLastBatch: true, outcome: 'sending', checked: [] },
    ...{ lastOutcome: 'sending', isPaidElsewhere: false },
    ...{ before: 'PENDING', wasPaid: false, word: 'NEXT', meaning },
    ...{ isKnownPayment: false, isNamed: false, payment: 'own' },
    ...fields,
  });
  const paid: WordMeaning = { kind: 'paid' };
  const open: WordMeaning = { kind: 'open' };
  const unclaimed: WordMeaning = { kind: 'unclaimed' };
  const released: WordMeaning = { kind: 'released' };
  const itsFault: WordMeaning = { kind: 'failed', isOurs: false };
  const ours: WordMeaning = { kind: 'failed', isOurs: true };

  it.each(['ready', 'sending', 'failed', 'returned', 'cancelled'] as const)(
    'that it went out pays what is %s here',
    (status) => {
      expect(judgeWord(told(paid, { status }))).toEqual({ to: 'paid' });
    },
  );

  it.each<[string, WordOf, object]>([
    [
      'that it went out is nothing new of what is paid',
      told(paid, { status: 'paid', outcome: 'paid' }),
      {},
    ],
    [
      'that it went out, of what a person named another payment for: it is paid twice',
      told(paid, { status: 'paid', outcome: 'paid', payment: 'untold' }),
      { attention: 'twice' },
    ],
    [
      'that it went out by the payment that a person named',
      told(paid, { status: 'paid', outcome: 'paid', payment: 'untold', isKnownPayment: true }),
      {},
    ],
    [
      'that it went out, said again, beside another payment',
      told(paid, { status: 'paid', outcome: 'paid', payment: 'another' }),
      {},
    ],
    [
      'that it went out, said again, of what came back by another payment',
      told(paid, { status: 'returned', outcome: 'paid', before: 'NEXT' }),
      { to: 'paid' },
    ],
    [
      'that it went out again, beside what another batch has paid',
      told(paid, { status: 'paid', outcome: 'returned' }),
      { attention: 'twice', outcome: 'paid' },
    ],
    [
      'that it went out, of what somebody took to have come back',
      told(paid, { status: 'paid', outcome: 'returned', before: 'NEXT' }),
      { outcome: 'paid' },
    ],
    [
      'that it went out, of what was paid in another way since nothing was sent: it is paid twice',
      told(paid, { status: 'paid', outcome: 'released' }),
      { attention: 'twice' },
    ],
    [
      'that it went out by the payment that somebody named',
      told(paid, { status: 'paid', outcome: 'released', isKnownPayment: true }),
      { outcome: 'paid' },
    ],
    [
      'that it went out besides, which somebody has checked',
      told(paid, { status: 'paid', outcome: 'released', before: 'NEXT', checked: ['twice '] }),
      {},
    ],
    [
      'that it went out besides, of what somebody saw on its way besides',
      told(paid, { status: 'paid', outcome: 'released', checked: ['twice '] }),
      { attention: 'twice' },
    ],
    [
      'that it went out besides, of what an earlier batch has paid',
      told(paid, { status: 'paid', outcome: 'released', isPaidElsewhere: true }),
      { outcome: 'paid', attention: 'twice' },
    ],
    [
      'that it went out, said again, pays nothing that somebody knows to have come back',
      told(paid, { status: 'returned', outcome: 'returned', before: 'NEXT' }),
      {},
    ],
    [
      'that it went out, said again, pays what came back of another payment',
      told(paid, { status: 'returned', outcome: 'released', before: 'NEXT' }),
      { to: 'paid' },
    ],
    [
      'that it went out, said again, pays what was said to have failed',
      told(paid, { status: 'failed', before: 'NEXT' }),
      { to: 'paid' },
    ],
    ['that it did not go fails it', told(itsFault), { to: 'failed' }],
    ['that it did not go, by the fault of the payer, makes it ready', told(ours), { to: 'ready' }],
    [
      'that it did not go takes back what was paid, whoever is at fault',
      told(ours, { status: 'paid', outcome: 'paid' }),
      { to: 'returned' },
    ],
    ['that it did not go leaves what is ready', told(itsFault, { status: 'ready' }), {}],
    ['that it did not go leaves what is cancelled', told(ours, { status: 'cancelled' }), {}],
    ['that nothing was taken makes it ready', told(released), { to: 'ready' }],
    [
      'that nothing was taken takes back what somebody took to be paid by it',
      told(released, { status: 'paid', outcome: 'paid', before: 'NEXT' }),
      { to: 'returned' },
    ],
    [
      'that nothing was taken leaves what was paid in another way',
      told(released, { status: 'paid', outcome: 'released' }),
      {},
    ],
    ['that it is on its way leaves it so', told(open), {}],
    ['that it is unclaimed leaves it on its way', told(unclaimed), {}],
    ['that it is on its way leaves what is paid', told(open, { status: 'paid' }), {}],
    ...(['ready', 'failed', 'cancelled', 'returned'] as const).map(
      (status): [string, WordOf, object] => [
        `that it is on its way is a person’s, when it is ${status} here`,
        told(open, { status }),
        { attention: 'word' },
      ],
    ),
    [
      'that somebody has checked raises nothing',
      told(open, { status: 'ready', checked: ['word NEXT'] }),
      {},
    ],
    [
      'that is not the one that somebody has checked raises it again',
      told(open, { status: 'ready', checked: ['word PENDING', 'blocked NEXT'] }),
      { attention: 'word' },
    ],
    [
      'that is none is remembered as one',
      told(open, { status: 'ready', word: null, checked: ['word '] }),
      {},
    ],
  ])('is judged: %s', (_rule, word, judged) => {
    expect(judgeWord(word)).toEqual(judged);
  });

  it.each(['blocked', 'refunded', 'word'] as const)('books nothing where it is %s', (reason) => {
    const meaning = { kind: 'attention', reason } as const;
    expect(judgeWord(told(meaning))).toEqual({ attention: reason });
    expect(judgeWord(told(meaning, { checked: [`${reason} NEXT`] }))).toEqual({});
  });

  it('is remembered by what it raised and by itself', () => {
    expect(checkedKey('blocked', 'ON HOLD')).toBe('blocked ON HOLD');
    expect(checkedKey('twice', null)).toBe('twice ');
  });
});

describe('a word of an earlier batch', () => {
  const earlier: WordOf = {
    ...{ status: 'sending', isLastBatch: false, outcome: 'released', checked: [] },
    ...{ lastOutcome: 'sending', isPaidElsewhere: false },
    ...{ before: null, wasPaid: false, word: 'SUCCESS', meaning: { kind: 'paid' } },
    ...{ isKnownPayment: false, isNamed: false, payment: 'own' },
  };

  it.each<[string, Partial<WordOf>, object]>([
    ['that it went out: it is paid twice', {}, { attention: 'twice', outcome: 'paid' }],
    ['that it went out, again', { outcome: 'paid' }, {}],
    [
      'that it went out, which somebody saw on its way',
      { checked: ['twice '] },
      { attention: 'twice', outcome: 'paid' },
    ],
    ['that it did not go', { meaning: { kind: 'failed', isOurs: true } }, {}],
    ['that nothing was taken', { meaning: { kind: 'released' } }, {}],
    ['that it is on its way', { meaning: { kind: 'open' } }, { attention: 'twice' }],
    ['that it is unclaimed', { meaning: { kind: 'unclaimed' } }, { attention: 'twice' }],
    [
      'that it is on its way, which somebody has seen',
      { meaning: { kind: 'open' }, checked: ['twice '], before: 'SUCCESS' },
      {},
    ],
    [
      'that it is on its way, of which somebody has seen another word',
      { meaning: { kind: 'open' }, checked: ['twice '] },
      { attention: 'twice' },
    ],
    [
      'that it is on its way again, of what had come back',
      { meaning: { kind: 'open' }, outcome: 'returned' },
      { attention: 'twice' },
    ],
    [
      'that it is on its way, of what it had paid',
      { meaning: { kind: 'open' }, outcome: 'paid' },
      {},
    ],
    [
      'that it went out, said again, of what somebody says has failed',
      { status: 'failed', outcome: 'paid', before: 'SUCCESS' },
      { outcome: 'paid', to: 'paid' },
    ],
    [
      'that it went out, said again, of what somebody knows to have come back by it',
      { status: 'returned', outcome: 'returned', before: 'SUCCESS' },
      {},
    ],
    [
      'that it went out anew, of what had come back by it',
      { status: 'returned', outcome: 'returned' },
      { outcome: 'paid', to: 'paid', attention: 'twice' },
    ],
    [
      'that it came back, of what a later one pays',
      {
        ...{ status: 'paid', outcome: 'paid', lastOutcome: 'paid' },
        ...{ meaning: { kind: 'failed', isOurs: false }, isPaidElsewhere: true },
      },
      { outcome: 'returned' },
    ],
    [
      'that it came back, of what somebody says is paid, by it or in another way',
      {
        ...{ status: 'paid', outcome: 'paid', lastOutcome: 'released' },
        meaning: { kind: 'failed', isOurs: false },
      },
      { outcome: 'returned', attention: 'word' },
    ],
    [
      'that it came back, of what is not paid here',
      {
        ...{ status: 'failed', outcome: 'paid', lastOutcome: 'failed' },
        meaning: { kind: 'failed', isOurs: false },
      },
      { outcome: 'returned' },
    ],
    [
      'that it was denied as a whole after it had paid, as the later one had come back',
      {
        ...{ status: 'paid', outcome: 'paid', lastOutcome: 'returned' },
        meaning: { kind: 'released' },
      },
      { outcome: 'returned', to: 'returned' },
    ],
    [
      'that nobody knows where it is: it may be paid twice',
      { meaning: { kind: 'attention', reason: 'blocked' }, checked: ['twice '] },
      { attention: 'twice' },
    ],
    [
      'that nobody knows where it is, as before, which somebody has seen',
      {
        ...{ meaning: { kind: 'attention', reason: 'blocked' }, before: 'SUCCESS' },
        checked: ['twice '],
      },
      {},
    ],
    [
      'that nobody knows where it is, of what failed by it',
      { meaning: { kind: 'attention', reason: 'blocked' }, outcome: 'failed' },
      {},
    ],
    [
      'that a part came back of what it had paid',
      { meaning: { kind: 'attention', reason: 'refunded' }, outcome: 'paid' },
      { attention: 'refunded' },
    ],
    [
      'that a part came back of what it had paid, as before',
      {
        ...{ meaning: { kind: 'attention', reason: 'refunded' }, outcome: 'paid' },
        before: 'SUCCESS',
      },
      {},
    ],
    [
      'that it came back, as the later one had',
      {
        ...{ status: 'paid', outcome: 'paid', lastOutcome: 'returned' },
        meaning: { kind: 'failed', isOurs: false },
      },
      { outcome: 'returned', to: 'returned' },
    ],
    [
      'that it came back, as the later one had, and a third pays',
      {
        ...{ status: 'paid', outcome: 'paid', lastOutcome: 'returned' },
        ...{ meaning: { kind: 'failed', isOurs: false }, isPaidElsewhere: true },
      },
      { outcome: 'returned' },
    ],
  ])('is judged: %s', (_rule, told, judged) => {
    expect(judgeWord({ ...earlier, ...told })).toEqual(judged);
  });
});
