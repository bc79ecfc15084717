import {
  inviteExpiry,
  inviteMoves,
  inviteStatus,
  inviteTriggers,
  isInviteOpen,
} from '../../../entities/rules/partners/invite';
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

describe('an invite', () => {
  const now = new Date('2026-11-24T09:00:00.000Z');
  const at = (ms: number) => new Date(now.getTime() + ms);

  it('ends after 14 days', () => {
    expect(inviteExpiry(now)).toEqual(new Date('2026-12-08T09:00:00.000Z'));
  });

  it.each([
    ['pending', 1, 'pending', true],
    ['pending', 0, 'expired', false],
    ['pending', -1, 'expired', false],
    ['accepted', 1, 'accepted', false],
    ['accepted', -1, 'accepted', false],
    ['deleted', 1, 'pending', false],
    ['erased', -1, 'expired', false],
  ] as const)('%s, with %s ms left, is shown as %s; open: %s', (status, ms, shown, isOpen) => {
    const invite = { status, expiresAt: at(ms) };
    expect(inviteStatus(invite, now)).toBe(shown);
    expect(isInviteOpen(invite, now)).toBe(isOpen);
  });
});
