import { AffiliateError } from './errors.ts';
import type { Operation } from './request.ts';

/** A success, with what its headers say. */
export interface Answer<R> {
  data: R;
  status: number;
  /** Names the request in the logs of the service. */
  requestId: string | null;
  headers: Headers;
}

/** Reads a success. AffiliateError when it is of no type that the operation answers with. */
export async function read(response: Response, operation: Operation): Promise<Answer<unknown>> {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id');
  const data = status === 204 ? undefined : await dataOf(response, operation);
  return { data, status, requestId, headers };
}

async function dataOf(response: Response, { answers, isStream, name }: Operation) {
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(/\s*;/);
  // The page of a portal, a firewall or a shop tells of nothing that was done.
  if (answers && !answers.includes(type)) {
    throw await unexpected(response, name, type === '' ? 'something without a type' : type);
  }
  if (isStream) return response;
  return type === 'application/json' ? ((await response.json()) as unknown) : response.text();
}

/** The error of an answer that the service does not give. */
export async function unexpected(response: Response, operation = '', found = 'a redirect') {
  await response.body?.cancel();
  const text = `The address answers with ${found}, which the service does not: is baseUrl right?`;
  return new AffiliateError(text, {
    // Browsers hide the status of a redirect.
    status: response.status || 302,
    code: 'UNEXPECTED_ANSWER',
    operation,
    requestId: response.headers.get('x-request-id'),
  });
}

/** A promise of an answer's data that also has the whole answer. */
export class Reply<R> implements Promise<R> {
  readonly [Symbol.toStringTag] = 'Reply';
  readonly #answer: Promise<Answer<R>>;

  constructor(answer: Promise<Answer<R>>) {
    this.#answer = answer;
  }

  /** The data with status, request id and headers. */
  withResponse(): Promise<Answer<R>> {
    return this.#answer;
  }

  // A reply is awaited like any promise.
  then<A = R, B = never>(
    done?: ((data: R) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(done, failed);
  }

  catch<B = never>(failed?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<R | B> {
    return this.then(undefined, failed);
  }

  finally(done?: (() => void) | null): Promise<R> {
    return this.then().finally(done);
  }
}
