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

const repeated = [429, 503];

/** Sends one call: as often as it takes, with one Idempotency-Key over all tries of a POST. */
export async function send(
  client: ClientOptions,
  operation: Operation,
  { input, options }: { input: Input; options: CallOptions },
): Promise<unknown> {
  const { url, body } = addressOf(client.baseUrl, operation, input);
  const { method, type } = operation;
  const headers: Record<string, string> = {
    ...(body !== undefined && { 'Content-Type': type }),
    ...(method === 'POST' && { 'Idempotency-Key': options.idempotencyKey ?? randomKey() }),
    ...options.headers,
  };
  const request = { method, headers, ...(body !== undefined && { body }) };
  const { maxRetries = 3 } = { ...client, ...options };
  for (let tries = 0; ; tries += 1) {
    const outcome = await attempt(client, operation, { url, request, options });
    if (!('error' in outcome)) return outcome.answer;
    if (outcome.againAfterMs === undefined || tries >= maxRetries) throw outcome.error;
    await sleep(Math.max(outcome.againAfterMs, backOffMs(tries)), options.signal);
  }
}

type Outcome = { answer: unknown } | { error: unknown; againAfterMs?: number | undefined };

interface Request {
  url: string;
  request: RequestInit & { headers: Record<string, string> };
  options: CallOptions;
}

async function attempt(
  client: ClientOptions,
  { isStream }: Operation,
  { url, request, options }: Request,
): Promise<Outcome> {
  const credential = await credentialOf(client, options);
  const timeout = AbortSignal.timeout(options.timeoutMs ?? client.timeoutMs ?? 30_000);
  // A stream goes on for as long as its reader likes.
  const ends = isStream ? [options.signal] : [timeout, options.signal];
  const signal = AbortSignal.any(ends.filter((one) => one !== undefined));
  try {
    const headers = { ...credential, ...request.headers };
    const response = await (client.fetch ?? fetch)(url, { ...request, headers, signal });
    if (response.ok) return { answer: isStream ? response : await read(response) };
    const error = await errorOf(response);
    return { error, againAfterMs: againAfterMs(response, error, client.maxWaitMs) };
  } catch (cause) {
    if (options.signal?.aborted) return { error: options.signal.reason };
    return { error: withoutAnswer(timeout, cause), againAfterMs: 0 };
  }
}

function withoutAnswer(timeout: AbortSignal, cause: unknown): AffiliateError {
  return timeout.aborted
    ? new AffiliateError('The service did not answer in time.', {
        status: 0,
        code: 'TIMEOUT',
        cause,
      })
    : new AffiliateError('The service cannot be reached.', {
        status: 0,
        code: 'NETWORK_ERROR',
        cause,
      });
}

async function credentialOf(
  client: ClientOptions,
  options: CallOptions,
): Promise<Record<string, string>> {
  const token = client.apiKey ?? client.accessToken ?? (await client.getAccessToken?.());
  const mode = options.mode ?? client.mode;
  return {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    // A key has its mode in its prefix.
    ...(mode !== undefined && client.apiKey === undefined && { 'X-Mode': mode }),
  };
}

function addressOf(baseUrl: string, operation: Operation, input: Input) {
  const rest = { ...input };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    if (value === undefined || value === '') throw new TypeError(`${name} is missing`);
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  const isInQuery = (name: string) => operation.method === 'GET' || operation.query.includes(name);
  for (const [name, value] of Object.entries(rest)) {
    if (!isInQuery(name)) continue;
    delete rest[name];
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one));
    }
  }
  const search = query.size > 0 ? `?${query.toString()}` : '';
  return { url: baseUrl.replace(/\/+$/, '') + path + search, body: bodyOf(operation, rest) };
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
function againAfterMs(
  response: Response,
  { code }: AffiliateError,
  maxWaitMs = 120_000,
): number | undefined {
  // The first try of this key is still at work.
  const isAtWork = code === 'IDEMPOTENCY_IN_PROGRESS';
  if (!isAtWork && !repeated.includes(response.status)) return undefined;
  const after = response.headers.get('retry-after') ?? '0';
  const ms = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  if (ms > maxWaitMs) return undefined;
  return ms > 0 ? ms : 0;
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
