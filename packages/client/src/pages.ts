import type { Answer } from './answers.ts';
import type { Input } from './request.ts';

export type Page = { data: unknown[]; total?: number; nextCursor?: string | null };
/** Asks for one page: the list's own fields, with these in their place. */
type LoadPage<P> = (more: Input) => Promise<Answer<P>>;

const mostRows = 100;

/** A list: a promise of one page, and the rows of it and all that follow. Asks when it is used. */
export class Paged<P extends Page> implements PromiseLike<P>, AsyncIterable<P['data'][number]> {
  readonly #input: Input;
  readonly #size: string;
  readonly #load: LoadPage<P>;
  #page: Promise<Answer<P>> | undefined;

  constructor(input: Input, size: string, load: LoadPage<P>) {
    this.#input = input;
    this.#size = size;
    this.#load = load;
  }

  /** The page with status, request id and headers. */
  withResponse(): Promise<Answer<P>> {
    this.#page ??= this.#load({});
    return this.#page;
  }

  // A list is awaited like any other call.
  then<A = P, B = never>(
    done?: ((page: P) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(done, failed);
  }

  catch<B>(failed: (error: unknown) => B | PromiseLike<B>): Promise<P | B> {
    return this.then(undefined, failed);
  }

  /** The rows of this page and all behind it, at most `limit` of them. */
  async toArray({ limit = Infinity }: { limit?: number } = {}): Promise<P['data'][number][]> {
    const rows: P['data'][number][] = [];
    if (limit <= 0) return rows;
    for await (const row of this) if (rows.push(row) >= limit) break;
    return rows;
  }

  /** By cursors: whatever comes and goes meanwhile, no row is skipped or met twice. */
  async *[Symbol.asyncIterator](): AsyncGenerator<P['data'][number], void> {
    const size = { [this.#size]: this.#input[this.#size] ?? mostRows };
    for (let more: Input = size; ;) {
      const { data, nextCursor } = (await this.#load(more)).data;
      yield* data as P['data'][number][];
      if (nextCursor === null) return;
      if (nextCursor === undefined) throw new Error('The service is older than this client.');
      more = { ...size, cursor: nextCursor, page: undefined };
    }
  }
}
