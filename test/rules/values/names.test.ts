import { keyKinds, keyPrefix, modes, parseKey } from '../../../entities/rules/values/mode';
import { hasRole, roles } from '../../../entities/rules/values/roles';

const secret = 'aZ09'.repeat(8);

describe('a key', () => {
  it.each(keyKinds.flatMap((kind) => modes.map((mode) => [kind, mode] as const)))(
    'says by its prefix that it is %s, of mode %s',
    (kind, mode) => {
      expect(parseKey(keyPrefix(kind, mode) + secret)).toEqual({ kind, mode });
    },
  );

  it.each([
    '',
    secret,
    `xk_test_${secret}`,
    `sk_prod_${secret}`,
    `sk_test_${secret}a`,
    `sk_test_${secret.slice(1)}`,
    `sk_test_${secret.slice(1)}-`,
    ` sk_test_${secret}`,
  ])('is none: %p', (text) => {
    expect(parseKey(text)).toBeUndefined();
  });

  it('is known by its first letters', () => {
    expect(keyKinds.map((kind) => keyPrefix(kind, 'live'))).toEqual([
      'pk_live_',
      'sk_live_',
      'mk_live_',
    ]);
  });
});

it('a role may do all that those before it may', () => {
  const may = (role: (typeof roles)[number]) => roles.filter((atLeast) => hasRole(role, atLeast));
  expect(roles.map(may)).toEqual([
    ['viewer'],
    ['viewer', 'member'],
    ['viewer', 'member', 'admin'],
    ['viewer', 'member', 'admin', 'owner'],
  ]);
});
