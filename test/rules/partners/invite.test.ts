import {
  inviteMoves,
  inviteTriggers,
  storedInviteStatuses,
  type InviteTrigger,
  type StoredInviteStatus,
} from '../../../entities/rules/partners/invite';
import { assertMove, sourcesOf, targetOf } from '../../../entities/rules/values/moves';

type Line = [StoredInviteStatus, InviteTrigger, StoredInviteStatus];

/** Every pair that is not here is refused. */
const allowed: Line[] = [
  ['pending', 'renew', 'pending'],
  ['pending', 'accept', 'accepted'],
  ['pending', 'delete', 'deleted'],
  ['accepted', 'delete', 'deleted'],
  ['pending', 'erase', 'erased'],
  ['accepted', 'erase', 'erased'],
  ['deleted', 'erase', 'erased'],
];

const all = storedInviteStatuses.flatMap((from) =>
  inviteTriggers.flatMap((trigger) => storedInviteStatuses.map((to): Line => [from, trigger, to])),
);

describe('the moves of an invite', () => {
  it.each(all)('from %s by %s to %s', (from, trigger, to) => {
    const isAllowed = allowed.some((line) => line.join() === [from, trigger, to].join());
    const move = () => assertMove(inviteMoves, { from, trigger, to });
    if (isAllowed) expect(move).not.toThrow();
    else expect(move).toThrow('no move');
  });

  it('are what the statements are made of', () => {
    expect(sourcesOf(inviteMoves, 'delete')).toEqual(['pending', 'accepted']);
    expect(targetOf(inviteMoves, 'delete')).toBe('deleted');
    const fork = { a: { go: ['a', 'b'] }, b: {} } as const;
    expect(() => targetOf<'a' | 'b', 'go' | 'stay'>(fork, 'go')).toThrow('no single status');
    expect(() => targetOf<'a' | 'b', 'go' | 'stay'>(fork, 'stay')).toThrow('no single status');
  });
});
