import { hasRole, roles, type KeyRole, type Role } from '../../entities/rules/values/roles';
import type { AnyContractSpec } from '../http/contract/contract';
import type { Auth } from '../http/contract/credential';
import { classSchema } from '../http/contract/openapi';
import type { Route } from '../http/contract/route';

const START = '<!-- reach: written by npm run openapi -->';
const END = '<!-- /reach -->';

const keyColumns = {
  'viewer key': 'viewer',
  'member key': 'member',
  'admin key': 'admin',
  'bound key': 'admin',
} as const satisfies Record<string, KeyRole>;
type KeyColumn = keyof typeof keyColumns;
const isKeyColumn = (caller: string): caller is KeyColumn => caller in keyColumns;

/** Every kind of credential, and none; the columns of the table. */
export const callers = [
  ...roles,
  'partner',
  ...(Object.keys(keyColumns) as KeyColumn[]),
  'secret key',
  'public key',
  'nobody',
] as const;
export type Caller = (typeof callers)[number];

type Reached = Pick<Route, 'path'> & {
  spec: Pick<AnyContractSpec, 'auth' | 'query' | 'body' | 'programOf'>;
};

/**
 * Whether the declared policy of an endpoint lets this caller in. A `bound key` is an admin's that is
 * bound to one programme. What a handler refuses beyond that, such as a mode or another workspace's
 * object, is not told here.
 */
export function reaches(route: Reached, caller: Caller): boolean {
  const { auth } = route.spec;
  if (auth.kind === 'open') return true;
  if (isKeyColumn(caller)) return isReachedByKey(route, caller);
  switch (auth.kind) {
    case 'partner':
      return caller === 'partner';
    case 'secretKey':
      return caller === 'secret key';
    case 'publicKey':
      return ['public key', 'secret key'].includes(caller);
    default:
      return isMember(auth, caller) || (auth.kind !== 'merchant' && caller === 'secret key');
  }
}

function isMember(auth: Auth<unknown>, caller: Caller): boolean {
  const role = roles.find((candidate): candidate is Role => candidate === caller);
  return role !== undefined && hasRole(role, auth.role ?? 'viewer');
}

function isReachedByKey(route: Reached, column: KeyColumn): boolean {
  const { kind, personOnly, role = 'viewer' } = route.spec.auth;
  if (kind === 'partner' || kind === 'secretKey' || personOnly) return false;
  if (column === 'bound key' && !namesProgram(route)) return false;
  return hasRole(keyColumns[column], role);
}

/** Whether a request says of which programme it is; a click does so by its ref. */
function namesProgram({ path, spec }: Reached): boolean {
  if (path.includes(':programId') || spec.programOf || spec.auth.kind === 'publicKey') return true;
  return [spec.query, spec.body].some((input) => {
    const schema = input ? classSchema(input) : {};
    return 'programId' in ((schema['properties'] ?? {}) as object);
  });
}

/** One row an endpoint, in the order of their paths. */
function reachTable(routes: readonly Route[]): string {
  const rows = routes
    .map((route) => ({ method: route.method.toUpperCase(), path: route.path, route }))
    .sort((a, b) => (a.path + a.method < b.path + b.method ? -1 : 1))
    .map(({ method, path, route }) => [
      `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``,
      ...callers.map((caller) => (reaches(route, caller) ? 'yes' : '')),
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
