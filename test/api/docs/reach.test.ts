import { readFileSync } from 'node:fs';
import path from 'node:path';
import { callers, reaches, withReach } from '../../../api/docs/reach';
import {
  member,
  merchant,
  open,
  partner,
  publicOrServerKey,
  secretKey,
  secretKeyOrMerchant,
} from '../../../api/http/contract/credential';
import { routes } from '../../../api/routes';

const page = path.join(__dirname, '../../../docs/reference/accounts.md');

it.each([
  ['a viewer', merchant('viewer'), ['viewer', 'member', 'admin', 'owner', 'management key']],
  ['an admin', merchant('admin'), ['admin', 'owner', 'management key']],
  ['a person who is an admin', member('admin'), ['admin', 'owner']],
  ['an owner', merchant('owner'), ['owner']],
  ['a partner', partner(), ['partner']],
  ['a server', secretKey('INVALID_API_KEY'), ['secret key']],
  [
    'a server or a member',
    secretKeyOrMerchant('member'),
    ['member', 'admin', 'owner', 'management key', 'secret key'],
  ],
  [
    'a page or a server',
    publicOrServerKey('member'),
    ['management key', 'secret key', 'public key'],
  ],
  ['anybody', open(), callers],
])('lets in who may come where %s is asked for', (_, auth, expected) => {
  expect(callers.filter((caller) => reaches(auth, caller))).toEqual(expected);
});

it('stands in docs/reference/accounts.md as the contracts are now (npm run openapi)', () => {
  const text = readFileSync(page, 'utf8');
  expect(withReach(text, routes)).toBe(text);
  for (const { path: of } of routes) expect(text).toContain(of.replace(/:(\w+)/g, '{$1}'));
});
