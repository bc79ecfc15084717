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
  before: 'SUCCESS',
  word: 'FAILED',
  meaning: { kind: 'failed', isOurs: false },
  checked: [],
  isKnownPayment: false,
};

describe('a word that says that it did not go, of what is paid', () => {
  it.each<[string, Partial<WordOf>, object]>([
    ['that this batch paid: it has come back', {}, { to: 'returned' }],
    ['that a person said is paid, before any word', { before: null }, { to: 'returned' }],
    ['as before: somebody paid it in another way since', { before: 'FAILED' }, {}],
    ['that this batch gave back: it was paid in another way', { outcome: 'released' }, {}],
    ['in other words, of what it gave back', { outcome: 'released', word: 'DENIED' }, {}],
  ])('%s', (_, told, judged) => {
    expect(judgeWord({ ...failed, ...told })).toEqual(judged);
  });
});

describe('a word of the batch that has the item', () => {
  const told = (meaning: WordMeaning, fields: Partial<WordOf> = {}): WordOf => ({
    ...{ status: 'sending', isLastBatch: true, outcome: 'sending', checked: [] },
    ...{ before: 'PENDING', word: 'NEXT', meaning, isKnownPayment: false },
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
    ['that it went out is nothing new of what is paid', told(paid, { status: 'paid' }), {}],
    [
      'that it went out, of what was paid in another way since nothing was sent: it is paid twice',
      told(paid, { status: 'paid', outcome: 'released' }),
      { attention: 'twice' },
    ],
    [
      'that it went out by the payment that somebody told of',
      told(paid, { status: 'paid', outcome: 'released', isKnownPayment: true }),
      {},
    ],
    [
      'that it went out besides, which somebody looked at',
      told(paid, { status: 'paid', outcome: 'released', checked: ['twice '] }),
      {},
    ],
    [
      'that it went out, said again, pays nothing that somebody knows to have come back',
      told(paid, { status: 'returned', before: 'NEXT' }),
      {},
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
    ['that nothing was taken leaves what is paid', told(released, { status: 'paid' }), {}],
    ['that it is on its way leaves it so', told(open), {}],
    ['that it is unclaimed leaves it on its way', told(unclaimed), {}],
    ['that it is on its way leaves what is paid', told(open, { status: 'paid' }), {}],
    [
      'that it is on its way is a person’s, when somebody has said that nothing was sent',
      told(open, { status: 'ready' }),
      { attention: 'word' },
    ],
    [
      'that somebody has looked at raises nothing',
      told(open, { status: 'ready', checked: ['word NEXT'] }),
      {},
    ],
    [
      'that is not the one that somebody has looked at raises it again',
      told(open, { status: 'ready', checked: ['word PENDING', 'blocked NEXT'] }),
      { attention: 'word' },
    ],
    [
      'that is none is remembered as one',
      told(open, { status: 'ready', word: null, checked: ['word '] }),
      {},
    ],
  ])('%s', (_rule, word, judged) => {
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
    ...{ before: null, word: 'SUCCESS', meaning: { kind: 'paid' }, isKnownPayment: false },
  };

  it.each<[string, Partial<WordOf>, object]>([
    ['that it went out: it is paid twice', {}, { attention: 'twice', outcome: 'paid' }],
    ['that it went out, again', { outcome: 'paid' }, {}],
    ['that it did not go', { meaning: { kind: 'failed', isOurs: true } }, {}],
    [
      'that it went out, which somebody looked at in other words',
      { checked: ['twice '] },
      { outcome: 'paid' },
    ],
  ])('%s', (_rule, told, judged) => {
    expect(judgeWord({ ...earlier, ...told })).toEqual(judged);
  });
});
