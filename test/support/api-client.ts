import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mainDocument, waitlistDocument } from '../../api/docs/documents';
import { buildDocument } from '../../api/http/contract/openapi';
import { routes } from '../../api/routes';
import { AffiliateError } from '../../packages/client/src';
import { send as sendCall, type ClientOptions } from '../../packages/client/src/transport';
import type {} from './answers/response-checker';
import { runFolder } from './run/run-folder';

export interface ApiResponse<T = Record<string, unknown>> {
  status: number;
  body: T;
  text: string;
  headers: Headers;
}

/** What a refusal is known by: its status and code. */
export function codeOf(answer: ApiResponse): [number, unknown] {
  return [answer.status, answer.body['code']];
}

export interface CallOptions {
  headers?: Record<string, string>;
  mode?: 'test' | 'live';
  /** The body of a DELETE that takes one. */
  body?: unknown;
  /** A POST as a client of another kind sends it: without an Idempotency-Key. */
  isBare?: boolean;
}

/**
 * A caller with one credential, by the client package without its retries. Every answer is checked
 * against the OpenAPI document, and every error of the client against the answer.
 */
export interface Caller {
  get<T = Record<string, unknown>>(path: string, options?: CallOptions): Promise<ApiResponse<T>>;
  delete<T = Record<string, unknown>>(path: string, options?: CallOptions): Promise<ApiResponse<T>>;
  post<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<ApiResponse<T>>;
  put<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<ApiResponse<T>>;
  patch<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<ApiResponse<T>>;
}

export interface ApiClient extends Caller {
  /** A caller with this bearer (access token or key), and with X-Mode when told. */
  as(token: string, mode?: 'test' | 'live'): Caller;
  url: string;
}

/** The file of both documents, built by the first suite that asks; their server's URL does not matter. */
function documents(): string {
  const file = path.join(runFolder(), 'openapi.json');
  if (!existsSync(file)) {
    const built = [mainDocument, waitlistDocument].map((document) =>
      buildDocument(routes, document('http://localhost')),
    );
    // Another suite may do the same at the same time; neither may see half of it.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(built));
    renameSync(`${file}.${process.pid}`, file);
  }
  return file;
}

export function createApiClient(url: string): ApiClient {
  const check = responseCheckerOf(documents());
  const caller = (token?: string, mode?: 'test' | 'live'): Caller => {
    const send = async <T>(
      method: string,
      path: string,
      body: unknown,
      options: CallOptions = {},
    ): Promise<ApiResponse<T>> => {
      const credential = { ...(token !== undefined && { accessToken: token }) };
      const its = { ...credential, ...modeOf(options.mode ?? mode), baseUrl: url };
      const response = await answerOf(its, { ...options, method, path, body });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const parsed = (isJson && text !== '' ? JSON.parse(text) : {}) as T;
      const { status } = response;
      const location = response.headers.get('location');
      const problem = check({ method, path, status, body: parsed, isJson, location });
      if (problem !== undefined) throw new Error(problem);
      return { status: response.status, body: parsed, text, headers: response.headers };
    };
    return {
      get: (path, options) => send('GET', path, undefined, options),
      delete: (path, options) => send('DELETE', path, options?.body, options),
      post: (path, body, options) => send('POST', path, body, options),
      put: (path, body, options) => send('PUT', path, body, options),
      patch: (path, body, options) => send('PATCH', path, body, options),
    };
  };
  return { ...caller(), as: caller, url };
}

const modeOf = (mode: 'test' | 'live' | undefined) => (mode === undefined ? {} : { mode });

interface RawCall {
  method: string;
  /** The path with its query. */
  path: string;
  body: unknown;
  headers?: Record<string, string>;
  isBare?: boolean;
}

/** What came back to the client. Bodies go as they are: suites send what no type would let through. */
async function answerOf(client: ClientOptions, call: RawCall): Promise<Response> {
  const { method, path, headers } = call;
  let answer: Response | undefined;
  const keeping: typeof fetch = async (url, request) => {
    const { 'Idempotency-Key': _, ...bare } = request?.headers as Record<string, string>;
    answer = await fetch(url, call.isBare ? { ...request, headers: bare } : request);
    return answer.clone();
  };
  const body = typeof call.body === 'string' ? call.body : JSON.stringify(call.body);
  const operation = { method, path, query: [], type: 'text/plain', isStream: false };
  const error: unknown = await sendCall({ ...client, fetch: keeping }, operation, {
    input: { body },
    options: {
      maxRetries: 0,
      // The time-out is longer than a test may last: how long an answer may take is the suite's to say.
      timeoutMs: 120_000,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    },
  }).catch((caught: unknown) => caught);
  if (!answer) throw error;
  if (!answer.ok && (!(error instanceof AffiliateError) || error.status !== answer.status)) {
    throw error;
  }
  return answer;
}
