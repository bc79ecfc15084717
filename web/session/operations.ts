import type { CallOptions } from '../../packages/client/src/calls.ts';
import { operations } from '../../packages/client/src/generated/operations.ts';
import type { Resources } from '../../packages/client/src/generated/resources.ts';
import {
  readOperation,
  requestOf,
  type Input,
  type Operation,
} from '../../packages/client/src/request.ts';

/** The operations by the names that the client package calls them by, such as `payouts.list`. */
export type Name = {
  [G in keyof Resources]: `${G}.${keyof Resources[G] & string}`;
}[keyof Resources];

type CallOf<N extends Name> = N extends `${infer G extends keyof Resources}.${infer M}`
  ? M extends keyof Resources[G]
    ? Resources[G][M]
    : never
  : never;

/** What an operation takes: the fields of its path, query and body, side by side. */
export type Fields<N extends Name> = N extends Name
  ? CallOf<N> extends (fields: infer F, options?: CallOptions) => unknown
    ? // One without fields would take anything.
      unknown extends F
      ? Record<string, never>
      : NonNullable<F>
    : never
  : never;

/** What it answers with. */
export type Answer<N extends Name> = N extends Name
  ? CallOf<N> extends (fields: never, options?: CallOptions) => PromiseLike<infer R>
    ? R
    : never
  : never;

/** An operation and what it is asked with, as a component is told them. */
export type Asks<N extends Name> = { call: N } & (Record<never, never> extends Fields<N>
  ? { fields?: Fields<N> | undefined }
  : { fields: Fields<N> });

/** What a component was told to ask with. */
export const fieldsOf = <N extends Name>({ fields }: { fields?: unknown }): Fields<N> =>
  (fields ?? {}) as Fields<N>;

/** A row of what an operation lists. */
export type Row<N extends Name> = Answer<N> extends { data: (infer R)[] } ? R : never;

/** What it sorts by. */
export type SortOf<N extends Name> =
  Fields<N> extends { sortBy?: infer S } ? Extract<S, string> : never;

/** What the address of a page may say of it: filters, order and page. */
export type Filters<N extends Name> = Partial<Fields<N>>;

/** The texts that a filter may have. */
export type TextOf<T> = T extends string | number | boolean ? `${T}` : never;

/** How the client sends it. */
export function operationOf(name: Name): Operation {
  const [group = '', method = ''] = name.split('.');
  const table: Readonly<Record<string, Readonly<Record<string, string>>>> = operations;
  return readOperation(name, table[group]?.[method] ?? '');
}

/** The address of a GET, for what the browser opens by itself. */
export function addressOf<N extends Name>(name: N, fields: Fields<N>): string {
  return requestOf({ baseUrl: '' }, operationOf(name), fields as Input).url;
}
