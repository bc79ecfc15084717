import type { AffiliateError, ClientCode } from './errors.ts';
import type { ClientOptions } from './transport.ts';

/** What one call may say beside its fields; some of it in place of the client's own. */
export interface CallOptions extends Pick<ClientOptions, 'mode' | 'timeoutMs' | 'maxRetries'> {
  /** Ends the call, its tries and the waits between them. */
  signal?: AbortSignal;
  /** Of a POST, in place of a random one: the same key again replays the first answer for 24 hours. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

type Part<D, K extends string> = K extends keyof D
  ? [Exclude<D[K], undefined>] extends [never]
    ? unknown
    : Exclude<D[K], undefined>
  : unknown;
type Body<D> = Part<D, 'body'> extends string | Blob ? { body: string } : Part<D, 'body'>;

/** The fields of an operation: of its path, query and body, side by side. */
export type Fields<D> = Part<D, 'path'> & Part<D, 'query'> & Body<D>;

type Arguments<D> =
  Record<never, never> extends Fields<D>
    ? [fields?: Fields<D>, options?: CallOptions]
    : [fields: Fields<D>, options?: CallOptions];

type CodeOf<E> = E extends { code?: infer Code } ? Extract<Code, string> : never;

/** One operation: resolves to its answer, rejects with AffiliateError. */
export interface Call<D, R, E, Answer = Promise<R>> {
  (...args: Arguments<D>): Answer;
  /** Whether an error is this operation's; then its `code` is one of those that it can answer. */
  refused(error: unknown): error is AffiliateError<CodeOf<E> | ClientCode>;
}

/** An operation that lists: `await` it for one page, `for await` it for the rows of all. */
export type ListCall<D, R extends Page, E> = Call<D, R, E, Paged<R>>;

export type Page = { data: unknown[]; total?: number };
type LoadPage<P> = (page: number | undefined) => Promise<P>;

/** A list: a promise of one page, and the rows of it and all that follow. Asks when it is used. */
export class Paged<P extends Page> implements PromiseLike<P>, AsyncIterable<P['data'][number]> {
  readonly #first: number | undefined;
  readonly #load: LoadPage<P>;
  #page: Promise<P> | undefined;

  constructor(first: number | undefined, load: LoadPage<P>) {
    this.#first = first;
    this.#load = load;
  }

  // A list is awaited like any other call.
  then<A = P, B = never>(
    done?: ((page: P) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= this.#load(this.#first);
    return this.#page.then(done, failed);
  }

  catch<B>(failed: (error: unknown) => B | PromiseLike<B>): Promise<P | B> {
    return this.then(undefined, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<P['data'][number], void> {
    const first = this.#first ?? 1;
    let seen = 0;
    for (let number = first; ; number += 1) {
      const page = await (number === first ? this.then() : this.#load(number));
      yield* page.data as P['data'][number][];
      seen += page.data.length;
      // From a later page on, what came before it is not seen: an empty page is the end.
      if (page.data.length === 0 || (first === 1 && seen >= (page.total ?? 0))) return;
    }
  }
}
