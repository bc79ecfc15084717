import { judgeWord, type WordOf } from '../../../entities/rules/payouts/judge-word';

const failed: WordOf = {
  status: 'paid',
  isLastBatch: true,
  outcome: 'paid',
  before: 'SUCCESS',
  word: 'FAILED',
  meaning: { kind: 'failed', isOurs: false },
  checked: [],
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
