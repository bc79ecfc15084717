import { inviteMoves, inviteTriggers } from '../../../entities/rules/partners/invite';
import { sourcesOf, targetOf } from '../../../entities/rules/values/moves';
import { testMoves } from '../../support/moves';

describe('the moves of an invite', () => {
  testMoves(inviteMoves, inviteTriggers, [
    ['pending', 'renew', 'pending'],
    ['pending', 'accept', 'accepted'],
    ['pending', 'delete', 'deleted'],
    ['accepted', 'delete', 'deleted'],
    ['pending', 'erase', 'erased'],
    ['accepted', 'erase', 'erased'],
    ['deleted', 'erase', 'erased'],
  ]);

  it('are what the statements are made of', () => {
    expect(sourcesOf(inviteMoves, 'delete')).toEqual(['pending', 'accepted']);
    expect(targetOf(inviteMoves, 'delete')).toBe('deleted');
    const fork = { a: { go: ['a', 'b'] }, b: {} } as const;
    expect(() => targetOf<'a' | 'b', 'go' | 'stay'>(fork, 'go')).toThrow('no single status');
    expect(() => targetOf<'a' | 'b', 'go' | 'stay'>(fork, 'stay')).toThrow('no single status');
  });
});
