import type { Json } from '../../entities/rules/billing/json';
import { createVendorHttp, type VendorAnswer, type VendorRequest } from '../outbound/vendor-http';

/** A biller's API over HTTP: JSON, a bearer key, ten seconds for each call. */
export interface BillerHttp {
  /** The body of a 2xx, `{}` of none; BillerHttpError for every other answer, and for none. */
  call(
    method: VendorRequest['method'],
    path: string,
    sent?: { query?: Query; body?: Json },
  ): Promise<Json>;
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** An answer that is no success; `status` is null where none came. The message holds nothing of the answer. */
export class BillerHttpError extends Error {
  override readonly name = 'BillerHttpError';

  constructor(
    readonly status: number | null,
    readonly body: Json,
    cause?: unknown,
  ) {
    super(`the biller answered ${status ?? 'nothing'}`, { cause });
  }
}

const timeoutMs = 10_000;

export interface BillerHost {
  base: string;
  key: string;
  headers?: Record<string, string>;
  /** An operator named the host by a setting: it may be private. */
  isOperators: boolean;
}

/** Each call has a connection of its own, behind the guard of outbound addresses. A key follows no redirect. */
export function createBillerHttp({ base, key, headers = {}, isOperators }: BillerHost): BillerHttp {
  const own = {
    ...headers,
    'user-agent': 'affiliate-programme-service',
    accept: 'application/json',
    authorization: `Bearer ${key}`,
  };
  return {
    async call(method, path, { query = {}, body } = {}) {
      const url = urlOf(base, path, query);
      const request = { method, url, headers: own, timeoutMs, isOperators };
      return read(await ask(body === undefined ? request : withBody(request, body)));
    },
  };
}

function urlOf(base: string, path: string, query: Query): string {
  const url = new URL(base.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

function withBody(request: VendorRequest, body: Json): VendorRequest {
  const headers = { ...request.headers, 'content-type': 'application/json' };
  return { ...request, headers, body: JSON.stringify(body) };
}

function read({ status, body, failure }: VendorAnswer): Json {
  if (status === null || body === null) {
    throw new BillerHttpError(null, {}, new Error(failure ?? 'no answer'));
  }
  const isOk = status >= 200 && status < 300;
  const json = jsonOf(body, isOk);
  if (isOk) return json;
  throw new BillerHttpError(status, json);
}

async function ask(request: VendorRequest): Promise<VendorAnswer> {
  const vendors = createVendorHttp();
  try {
    return await vendors.request(request);
  } finally {
    await vendors.close();
  }
}

/** An answer of another form than promised is an error, never a success. */
function jsonOf(text: string, isOk: boolean): Json {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body as Json;
  } catch (error) {
    if (isOk) throw new BillerHttpError(null, {}, error);
  }
  return {};
}

/**
 * Why a call failed: `refused` (the key is not valid or lacks a permission), `missing` (the biller knows no
 * such thing, or not in this form), `away` (no answer, or not now: try again).
 */
export function billerHttpFailure(error: unknown): 'refused' | 'missing' | 'away' {
  const status = error instanceof BillerHttpError ? error.status : null;
  if (status === 401 || status === 403) return 'refused';
  const isTransient = status === null || status === 408 || status === 409 || status === 429;
  return isTransient || status >= 500 ? 'away' : 'missing';
}
