import type { CallOptions } from './calls.ts';
import { AffiliateError, errorOf } from './errors.ts';

export interface ClientOptions {
  /** A secret, public or management key; its prefix says whether it is of test or live mode. */
  apiKey?: string;
  /** A person's token. */
  accessToken?: string;
  /** Asked before every try, for tokens that are renewed. */
  getAccessToken?: () => string | undefined | Promise<string | undefined>;
  /** Where the service is, such as https://api.example.com */
  baseUrl: string;
  /** Test or live data, for access tokens. */
  mode?: 'test' | 'live';
  /** Of one try, in milliseconds: 30,000. */
  timeoutMs?: number;
  /** Tries after the first one: 3. */
  maxRetries?: number;
  /** A longer Retry-After than this ends the call: 120,000. */
  maxWaitMs?: number;
  /** In place of the global one. */
  fetch?: typeof fetch;
}

export type Input = Record<string, unknown>;

/** An operation as the table writes it: `POST /path/{id} ?fields,of,the,query #media/type`. */
export interface Operation {
  method: string;
  /** Its answer is handed on as it comes. */
  isStream: boolean;
  path: string;
  query: string[];
  type: string;
}

export function readOperation(line: string): Operation {
  const [verb = '', path = '', ...marks] = line.split(' ');
  const marked = (mark: string) => marks.find((text) => text[0] === mark)?.slice(1);
  return {
    method: verb.replace(/\W/, ''),
    isStream: verb.endsWith('~'),
    path,
    query: marked('?')?.split(',') ?? [],
    type: marked('#') ?? 'application/json',
  };
}

type Settings = ClientOptions & CallOptions;

/** Sends one call: as often as it takes, with one Idempotency-Key over all tries of a POST. */
export async function send(
  client: ClientOptions,
  operation: Operation,
  { input, options }: { input: Input; options: CallOptions },
): Promise<unknown> {
  // What a call leaves undefined is the client's: no mode at all would mean live.
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings: Settings = { ...client, ...Object.fromEntries(given) };
  const request = requestOf(settings, operation, input);
  const { maxRetries = 3, maxWaitMs = 120_000, signal } = settings;
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt(settings, operation, request);
    } catch (error) {
      signal?.throwIfAborted();
      const waitMs = againAfterMs(error);
      if (waitMs === undefined || waitMs > maxWaitMs || tries >= maxRetries) throw error;
      await sleep(Math.max(waitMs, backOffMs(tries)), signal);
    }
  }
}

/** One try: its answer, or an AffiliateError. */
async function attempt(
  settings: Settings,
  { isStream }: Operation,
  { url, ...request }: Request,
): Promise<unknown> {
  const headers = { ...(await credentialOf(settings)), ...request.headers };
  const timeout = AbortSignal.timeout(settings.timeoutMs ?? 30_000);
  // A stream goes on for as long as its reader likes.
  const ends = [settings.signal, isStream ? undefined : timeout].filter((end) => end !== undefined);
  const signal = AbortSignal.any(ends);
  try {
    const response = await (settings.fetch ?? fetch)(url, { ...request, headers, signal });
    if (!response.ok) throw await errorOf(response);
    return isStream ? response : await read(response);
  } catch (cause) {
    if (cause instanceof AffiliateError) throw cause;
    const [message, code] = timeout.aborted
      ? ['The service did not answer in time.', 'TIMEOUT']
      : ['The service cannot be reached.', 'NETWORK_ERROR'];
    throw new AffiliateError(message, { status: 0, code, cause });
  }
}

async function credentialOf({ apiKey, accessToken, getAccessToken, mode }: Settings) {
  const token = apiKey ?? accessToken ?? (await getAccessToken?.());
  return {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    // A key has its mode in its prefix.
    ...(mode !== undefined && apiKey === undefined && { 'X-Mode': mode }),
  };
}

type Request = RequestInit & { url: string; headers: Record<string, string> };

function requestOf(settings: Settings, operation: Operation, input: Input): Request {
  const { method, type } = operation;
  const rest = { ...input };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    if (value === undefined || value === '') throw new TypeError(`${name} is missing`);
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (method !== 'GET' && !operation.query.includes(name)) continue;
    delete rest[name];
    const values = [value].flat().filter((one) => one !== undefined && one !== null);
    for (const one of values) query.append(name, String(one));
  }
  const body = bodyOf(operation, rest);
  const headers = {
    ...(body !== undefined && { 'Content-Type': type }),
    ...(method === 'POST' && { 'Idempotency-Key': settings.idempotencyKey ?? randomKey() }),
    ...settings.headers,
  };
  const url =
    settings.baseUrl.replace(/\/+$/, '') + path + (query.size > 0 ? `?${query.toString()}` : '');
  return { url, method, headers, ...(body !== undefined && { body }) };
}

function bodyOf({ type }: Operation, rest: Input): string | undefined {
  if (type !== 'application/json') return rest['body'] as string;
  return Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest);
}

function read(response: Response): Promise<unknown> | undefined {
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 204) return undefined;
  return type.startsWith('application/json') ? response.json() : response.text();
}

/** How long to wait before the next try at least; undefined: it would be refused again. */
function againAfterMs(error: unknown): number | undefined {
  if (!(error instanceof AffiliateError)) return undefined;
  const { status, code, retryAfter } = error;
  // IDEMPOTENCY_IN_PROGRESS: the first try with this key has not finished.
  if (![0, 429, 503].includes(status) && code !== 'IDEMPOTENCY_IN_PROGRESS') return undefined;
  const after = retryAfter ?? '0';
  const ms = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return Math.max(0, ms || 0);
}

/** Twice as long after each try, at random between a half and the whole. */
const backOffMs = (tries: number): number =>
  Math.min(8_000, 300 * 2 ** tries) * (0.5 + Math.random() / 2);

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Browsers have randomUUID on https only. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
