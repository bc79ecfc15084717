import { erasureMoves, erasureTriggers } from '../../../entities/rules/erasure/erasure';
import { testMoves } from '../../support/moves';

describe('the moves of an erasure', () => {
  testMoves(erasureMoves, erasureTriggers, [
    ['locked', 'anonymise', 'anonymised'],
    ['locked', 'cancel', 'cancelled'],
    ['anonymised', 'complete', 'completed'],
  ]);
});
