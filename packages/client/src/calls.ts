import type { AffiliateError, ClientCode } from './errors.ts';
import type { ClientOptions } from './options.ts';
import type { Page, Paged } from './pages.ts';
import type { Reply } from './answers.ts';

/** What one call may say beside its fields; some of it in place of the client's own. */
export interface CallOptions extends Pick<
  ClientOptions,
  'mode' | 'timeoutMs' | 'deadlineMs' | 'maxRetries'
> {
  /** Ends the call, its tries and the waits between them. */
  signal?: AbortSignal;
  /** The key of a POST, in place of a random one: the same key again replays the first answer for 24 hours. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

type Part<D, K extends string> = K extends keyof D
  ? [Exclude<D[K], undefined>] extends [never]
    ? unknown
    : Exclude<D[K], undefined>
  : unknown;
/** What may be left out may be undefined, too. */
type Loose<T> = T extends object
  ? { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] }
  : T;
type Body<D> = Part<D, 'body'> extends string | Blob ? { body: string } : Part<D, 'body'>;

/** The fields of an operation: of its path, query and body, side by side. */
export type Fields<D> = Part<D, 'path'> & Loose<Part<D, 'query'>> & Loose<Body<D>>;

type Arguments<D> =
  Record<never, never> extends Fields<D>
    ? [fields?: Fields<D>, options?: CallOptions]
    : [fields: Fields<D>, options?: CallOptions];

type CodeOf<E> = E extends { code?: infer Code } ? Extract<Code, string> : never;

/** One operation: resolves to its answer, rejects with AffiliateError. */
export interface Call<D, R, E, Answer = Reply<R>> {
  (...args: Arguments<D>): Answer;
  /** Whether an error is this operation's own; then its `code` is one of those that it can answer. */
  refused(error: unknown): error is AffiliateError<CodeOf<E> | ClientCode>;
}

/** An operation that lists: `await` it for one page, `for await` it for the rows of all. */
export type ListCall<D, R extends Page, E> = Call<D, R, E, Paged<R>>;
