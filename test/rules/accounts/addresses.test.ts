import {
  isClaimable,
  isOpenTo,
  placeOf,
  type Holder,
} from '../../../entities/rules/accounts/addresses';

const nobodys: Holder = { hasPassword: false, isConfirmed: false };
const unproven: Holder = { hasPassword: true, isConfirmed: false };
const persons: Holder = { hasPassword: true, isConfirmed: true };

describe('whose what hangs on an address is (programmes.md, What hangs on an address belongs to who proves it)', () => {
  it.each([
    ['live', undefined, 'new'],
    ['live', nobodys, 'holder'],
    ['live', persons, 'holder'],
    ['live', unproven, 'stand-in'],
    ['test', undefined, 'sandbox'],
    ['test', nobodys, 'sandbox'],
    ['test', persons, 'sandbox'],
    ['test', unproven, 'sandbox'],
  ] as const)('in %s mode beside %j a new one lies on: %s', (mode, holder, place) => {
    expect(placeOf(mode, holder)).toBe(place);
  });

  const fresh = { isOpened: false, isProven: false };
  it.each([
    ['live', fresh, undefined, true],
    ['live', fresh, nobodys, true],
    // Whoever only registered never stands between the person and the claim.
    ['live', { isOpened: true, isProven: false }, unproven, true],
    ['live', fresh, persons, false],
    ['live', { isOpened: false, isProven: true }, undefined, false],
    ['test', fresh, undefined, true],
    ['test', fresh, nobodys, true],
    ['test', fresh, unproven, false],
    ['test', { isOpened: true, isProven: false }, nobodys, false],
    ['test', { isOpened: false, isProven: true }, undefined, true],
  ] as const)('a mail of %s mode about %j beside %j opens it: %s', (mode, state, holder, opens) => {
    expect(isClaimable({ mode, ...state }, holder)).toBe(opens);
  });

  it('an account of a sandbox goes no further than its workspace in test mode', () => {
    const sandbox = { workspaceId: 'a' };
    expect(isOpenTo(sandbox, { workspaceId: 'a', mode: 'test' })).toBe(true);
    expect(isOpenTo(sandbox, { workspaceId: 'a', mode: 'live' })).toBe(false);
    expect(isOpenTo(sandbox, { workspaceId: 'b', mode: 'test' })).toBe(false);
    expect(isOpenTo(null, { workspaceId: 'b', mode: 'live' })).toBe(true);
  });
});
