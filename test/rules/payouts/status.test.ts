import { payoutMoves, payoutStatuses } from '../../../entities/rules/payouts/status';
import { assertMove, sourcesOf, targetOf } from '../../../entities/rules/values/moves';

describe('the moves of a payout', () => {
  it('lead out of processing only, once', () => {
    expect(targetOf(payoutMoves, 'complete')).toBe('completed');
    expect(targetOf(payoutMoves, 'cancel')).toBe('cancelled');
    expect(sourcesOf(payoutMoves, 'complete')).toEqual(['processing']);
    expect(sourcesOf(payoutMoves, 'cancel')).toEqual(['processing']);
  });

  it.each(payoutStatuses.filter((status) => status !== 'processing'))('end at %s', (from) => {
    for (const [trigger, to] of [
      ['complete', 'completed'],
      ['cancel', 'cancelled'],
    ] as const) {
      expect(() => assertMove(payoutMoves, { from, trigger, to })).toThrow('no move');
    }
  });
});
