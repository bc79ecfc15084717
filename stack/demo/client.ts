import { setTimeout as sleep } from 'node:timers/promises';

export type Mode = 'test' | 'live';

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH';
  body?: unknown;
  token?: string;
  mode?: Mode;
  /** Codes that are an answer here, not a failure. */
  accept?: readonly string[];
}

export interface ApiAnswer<T> {
  status: number;
  code: string | undefined;
  body: T;
}

export type ApiClient = <T>(path: string, request?: ApiRequest) => Promise<ApiAnswer<T>>;

const ATTEMPTS = 5;

/** Talks to the running service as any client does; waits when it is asked to. */
export function createApiClient(apiUrl: string, signal: AbortSignal): ApiClient {
  return async function call<T>(path: string, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(apiUrl + path, { ...toInit(request), signal });
      const isLater = response.status === 429 || response.status === 503;
      if (isLater && attempt < ATTEMPTS) {
        await response.body?.cancel();
        await sleep(Number(response.headers.get('Retry-After') ?? 1) * 1000, undefined, { signal });
        continue;
      }
      return toAnswer<T>(response, request, path);
    }
  };
}

function toInit({ method = 'GET', body, token, mode }: ApiRequest): RequestInit {
  return {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(mode && { 'X-Mode': mode }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function toAnswer<T>(
  response: Response,
  { method = 'GET', accept = [] }: ApiRequest,
  path: string,
): Promise<ApiAnswer<T>> {
  const text = await response.text();
  const body = (text ? JSON.parse(text) : {}) as T;
  const { code, message } = body as { code?: string; message?: string };
  const isExpected = response.ok || (code !== undefined && accept.includes(code));
  if (!isExpected) {
    const reason = [response.status, code, message].filter(Boolean).join(' ');
    throw new Error(`The demo could not be set up: ${method} ${path} answered ${reason}.`);
  }
  return { status: response.status, code, body };
}
