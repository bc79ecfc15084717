import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mainDocument, waitlistDocument } from '../../api/docs/documents';
import { buildDocument } from '../../api/http/contract/openapi';
import { routes } from '../../api/routes';
import { createResponseChecker } from './response-checker';
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
  /** Of a DELETE that takes one. */
  body?: unknown;
}

/** A caller with one credential. Every answer is checked against the OpenAPI document. */
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
  /** With this bearer (access token or key), and X-Mode when told. */
  as(token: string, mode?: 'test' | 'live'): Caller;
  url: string;
}

/** Both documents, built by the first suite of a run that asks; their server's URL does not matter. */
function documents(): Record<string, unknown>[] {
  const file = path.join(runFolder(), 'openapi.json');
  if (!existsSync(file)) {
    const built = [mainDocument, waitlistDocument].map((document) =>
      buildDocument(routes, document('http://localhost')),
    );
    // Another suite may do the same at the same time; neither may see half of it.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(built));
    renameSync(`${file}.${process.pid}`, file);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>[];
}

export function createApiClient(url: string): ApiClient {
  const check = createResponseChecker(documents());
  const caller = (token?: string, mode?: 'test' | 'live'): Caller => {
    const send = async <T>(
      method: string,
      path: string,
      body: unknown,
      options: CallOptions = {},
    ): Promise<ApiResponse<T>> => {
      const response = await fetch(url + path, {
        method,
        headers: headersOf({ token, mode: options.mode ?? mode, body, given: options.headers }),
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const parsed = (isJson && text !== '' ? JSON.parse(text) : {}) as T;
      check({ method, path, status: response.status, body: parsed, isJson });
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

function headersOf(call: {
  token: string | undefined;
  mode: string | undefined;
  body: unknown;
  given: Record<string, string> | undefined;
}): Record<string, string> {
  return {
    ...(call.token === undefined ? {} : { Authorization: `Bearer ${call.token}` }),
    ...(call.mode === undefined ? {} : { 'X-Mode': call.mode }),
    ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...call.given,
  };
}
