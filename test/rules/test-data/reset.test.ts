import { resetMoves, resetTriggers } from '../../../entities/rules/test-data/reset';
import { testMoves } from '../../support/moves';

describe('the moves of a reset', () => {
  testMoves(resetMoves, resetTriggers, [
    ['queued', 'begin', 'running'],
    ['running', 'complete', 'completed'],
    ['queued', 'fail', 'failed'],
    ['running', 'fail', 'failed'],
  ]);
});
