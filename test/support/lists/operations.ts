import { fieldsOf } from '../../../api/http/contract/validators';
import { routes } from '../../../api/routes';
import type { Mode } from '../../../entities/rules/values/mode';
import type { TestApp } from '../app';
import { requiredQueries } from '../bodies/minimal';
import type { World } from '../world';

export type Operation = (typeof routes)[number];

export const hasField = (type: (new () => object) | undefined, name: string): boolean =>
  type !== undefined && fieldsOf(type).has(name);

/** What answers with rows and their number. */
export const envelopes = routes.filter(
  ({ spec }) =>
    hasField(spec.responses[200]?.type, 'total') && hasField(spec.responses[200]?.type, 'data'),
);
/** Rows of what the service itself consists of: one or two that neither come nor go. */
const fixed = new Set(['listPayoutProviders']);

export const lists = envelopes.filter(
  ({ name, spec }) => hasField(spec.query, 'page') && !fixed.has(name),
);

/** Whoever may ask for that, in a world. */
export function callerOf({ client }: TestApp, world: World, { spec }: Operation, mode: Mode) {
  const { kind } = spec.auth;
  const token = { partner: world.partner.token, secretKey: world.keys.secret }[kind as string];
  return client.as(token ?? world.owner.token, mode);
}

/** Its path in a world, with what its query must have. */
export function pathOf(world: World, { path, name }: Operation): string {
  const filled = path.replace(/:(\w+)/g, (_match, parameter: string) => world.id(parameter, path));
  const participantId = world.id('participantId', '/partners/:participantId');
  const month = new Date().toISOString().slice(0, 7);
  const own: Record<string, string> = {
    listPayoutStatement: `?year=${month.slice(0, 4)}`,
    listPayoutStatementEntries: `?participantId=${participantId}&month=${month}`,
  };
  return `${filled}${own[name] ?? requiredQueries[name] ?? '?'}`;
}

export const sizeOf = ({ spec }: Operation): string =>
  hasField(spec.query, 'limit') ? 'limit' : 'pageSize';
