import { readFileSync } from 'node:fs';
import path from 'node:path';
import { callers, reaches, withReach } from '../../../api/docs/reach';
import {
  type Auth,
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

const at = (path: string, auth: Auth<unknown>) => ({ path, spec: { auth } });
const people = ['viewer', 'member', 'admin', 'owner'];
const keys = ['viewer key', 'member key', 'admin key'];

it.each([
  ['a viewer', at('/x', merchant('viewer')), [...people, ...keys]],
  ['a member', at('/x', merchant('member')), [...people.slice(1), ...keys.slice(1)]],
  ['an admin', at('/x', merchant('admin')), ['admin', 'owner', 'admin key']],
  [
    'an admin of a programme',
    at('/x/:programId', merchant('admin')),
    ['admin', 'owner', 'admin key', 'bound key'],
  ],
  ['a person who is an admin', at('/x/:programId', member('admin')), ['admin', 'owner']],
  ['an owner', at('/x/:programId', merchant('owner')), ['owner']],
  ['a partner', at('/x', partner()), ['partner']],
  ['a server', at('/x', secretKey('INVALID_API_KEY')), ['secret key']],
  [
    'a server or a member',
    at('/x', secretKeyOrMerchant('member')),
    ['member', 'admin', 'owner', 'member key', 'admin key', 'secret key'],
  ],
  [
    'a page or a server',
    at('/x', publicOrServerKey('member')),
    ['member key', 'admin key', 'bound key', 'secret key', 'public key'],
  ],
  ['anybody', at('/x', open()), callers],
])('lets in who may come where %s is asked for', (_, asked, expected) => {
  expect(callers.filter((caller) => reaches(asked, caller))).toEqual(expected);
});

it('lets in a key of one programme where query, body or a row name it', () => {
  const named = routes.filter((route) => reaches(route, 'bound key')).map(({ name }) => name);
  expect(named).toEqual(
    expect.arrayContaining(['getMetrics', 'createPayout', 'getPayout', 'getConversion']),
  );
  for (const name of ['listConversions', 'listCustomers', 'getWorkspace', 'createApiKey']) {
    expect(routes.map((route) => route.name)).toContain(name);
    expect(named).not.toContain(name);
  }
});

it('stands in docs/reference/accounts.md as the contracts are now (accounts.md, Who reaches what)', () => {
  const text = readFileSync(page, 'utf8');
  expect(withReach(text, routes)).toBe(text);
  for (const { path: of } of routes) expect(text).toContain(of.replace(/:(\w+)/g, '{$1}'));
});
