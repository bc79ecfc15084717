import type { Json } from '../../entities/rules/billing/json';

/** A biller's API over HTTP: JSON, a bearer key, ten seconds for each call. */
export interface BillerHttp {
  /** The body of a 2xx, `{}` of none; BillerHttpError for every other answer, and for none. */
  call(method: string, path: string, sent?: { query?: Query; body?: Json }): Promise<Json>;
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
/** Of an answer: a page of a hundred events is far smaller. */
const longestBody = 32 * 1_024 * 1_024;

export function createBillerHttp(
  base: string,
  key: string,
  headers: Record<string, string> = {},
): BillerHttp {
  return {
    async call(method, path, { query = {}, body } = {}) {
      const url = new URL(base.replace(/\/+$/, '') + path);
      for (const [name, value] of Object.entries(query)) {
        if (value !== undefined) url.searchParams.set(name, String(value));
      }
      const answer = await send(url, {
        method,
        headers: {
          ...headers,
          accept: 'application/json',
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        // A key follows no redirect.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      throw new BillerHttpError(answer.status, answer.body);
    },
  };
}

async function send(url: URL, init: RequestInit): Promise<{ status: number; body: Json }> {
  try {
    const response = await fetch(url, init);
    const text = await response.text();
    if (text.length > longestBody) throw new Error('the answer is too long');
    return { status: response.status, body: jsonOf(text, response.ok) };
  } catch (error) {
    throw new BillerHttpError(null, {}, error);
  }
}

/** An answer of another form than promised is an error, never a success. */
function jsonOf(text: string, isOk: boolean): Json {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body as Json;
  } catch (error) {
    if (isOk) throw error;
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
