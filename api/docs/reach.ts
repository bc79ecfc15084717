import { hasRole, roles, type Role } from '../../entities/rules/values/roles';
import type { Auth } from '../http/contract/credential';
import type { Route } from '../http/contract/route';

const START = '<!-- reach: written by npm run openapi -->';
const END = '<!-- /reach -->';

/** Every kind of credential, and none; the columns of the table. */
export const callers = [
  ...roles,
  'partner',
  'management key',
  'secret key',
  'public key',
  'nobody',
] as const;
export type Caller = (typeof callers)[number];

/**
 * Whether the declared policy of an endpoint lets this caller in; a management key is one of an admin
 * that is bound to no programme. What a handler refuses beyond
 * that, such as a mode or another workspace's object, is not told here.
 */
export function reaches(auth: Auth<unknown>, caller: Caller): boolean {
  switch (auth.kind) {
    case 'open':
      return true;
    case 'partner':
      return caller === 'partner';
    case 'merchant':
      return isManager(auth, caller);
    case 'secretKey':
      return caller === 'secret key';
    case 'secretKeyOrMerchant':
      return caller === 'secret key' || isManager(auth, caller);
    case 'publicKey':
      return ['public key', 'secret key', 'management key'].includes(caller);
  }
}

function isManager(auth: Auth<unknown>, caller: Caller): boolean {
  if (caller === 'management key')
    return !auth.personOnly && hasRole('admin', auth.role ?? 'viewer');
  const role = roles.find((candidate): candidate is Role => candidate === caller);
  return role !== undefined && hasRole(role, auth.role ?? 'viewer');
}

/** One row an endpoint, in the order of their paths. */
export function reachTable(routes: readonly Route[]): string {
  const rows = routes
    .map(({ method, path, spec }) => ({ method: method.toUpperCase(), path, auth: spec.auth }))
    .sort((a, b) => (a.path + a.method < b.path + b.method ? -1 : 1))
    .map(({ method, path, auth }) => [
      `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``,
      ...callers.map((caller) => (reaches(auth, caller) ? 'yes' : '')),
    ]);
  return [['Endpoint', ...callers], ['---', ...callers.map(() => '---')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The page with the table as it is now between its two marks. */
export function withReach(page: string, routes: readonly Route[]): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`The page lacks the marks ${START} and ${END}.`);
  return `${page.slice(0, start + START.length)}\n\n${reachTable(routes)}\n\n${page.slice(end)}`;
}
