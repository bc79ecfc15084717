import { read, unexpected, type Answer } from './answers.ts';
import type { CallOptions } from './calls.ts';
import { AffiliateError, errorOf } from './errors.ts';
import { checkCall, type ClientOptions, type RequestInfo, type ResponseInfo } from './options.ts';
import { requestOf, type Input, type Operation, type Sending, type Settings } from './request.ts';
import { backOffMs, retryAfterMs, sleep } from './waits.ts';

export type { ClientOptions } from './options.ts';

/** An answer that is lost may have been one of success. */
const lost = [0, 500, 502, 504];
const repeated = [...lost, 408, 429, 503];
/** A key is held for so long by a process that died; a little more. */
const claimMs = 62_000;

interface Call {
  input: Input;
  options: CallOptions;
}

/** Sends one call, and resolves to the data of its answer. */
export async function send(client: ClientOptions, operation: Operation, call: Call) {
  return (await exchange(client, operation, call)).data;
}

/** Sends one call: as often as it takes, with one Idempotency-Key over all tries of a POST. */
export async function exchange(
  client: ClientOptions,
  operation: Operation,
  { input, options }: Call,
): Promise<Answer<unknown>> {
  // What a call leaves undefined is the client's: no mode at all would mean live.
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings: Settings = { ...client, ...Object.fromEntries(given) };
  checkCall(settings);
  const request = requestOf(settings, operation, input);
  const progress: Progress = { startedAt: performance.now(), attempt: 1, retries: 0 };
  for (let wasLost = false; ; progress.attempt += 1) {
    try {
      return await attempt({ settings, operation, request, progress });
    } catch (error) {
      settings.signal?.throwIfAborted();
      if (!(error instanceof AffiliateError)) throw error;
      if (wasLost && operation.method === 'DELETE' && error.status === 404) return done(error);
      const pause = pauseMs(error, settings, progress);
      if (pause === undefined) throw error;
      wasLost ||= lost.includes(error.status);
      await sleep(pause, settings.signal);
    }
  }
}

/** What is gone after a try whose answer was lost was deleted by that try. */
function done({ status, requestId }: AffiliateError): Answer<undefined> {
  return { data: undefined, status, requestId, headers: new Headers() };
}

interface Progress {
  startedAt: number;
  attempt: number;
  /** Without those that waited for a key. */
  retries: number;
  /** When the key was found held. */
  heldAt?: number;
}

/** How long to wait before the next try; undefined: there is none. */
function pauseMs(error: AffiliateError, settings: Settings, progress: Progress) {
  const { maxRetries = 3, maxWaitMs = 120_000, deadlineMs = Infinity } = settings;
  if (maxRetries === 0 || isOver(error, maxRetries, progress)) return undefined;
  const wanted = retryAfterMs(error);
  const pause = Math.max(wanted, backOffMs(progress.attempt));
  const endsAt = performance.now() - progress.startedAt + pause;
  return wanted <= maxWaitMs && endsAt < deadlineMs ? pause : undefined;
}

/** Counts the try that failed. */
function isOver({ code, status }: AffiliateError, maxRetries: number, progress: Progress): boolean {
  if (code === 'IDEMPOTENCY_IN_PROGRESS') {
    progress.heldAt ??= performance.now();
    return performance.now() - progress.heldAt > claimMs;
  }
  progress.retries += 1;
  return progress.retries > maxRetries || !repeated.includes(status);
}

interface Try {
  settings: Settings;
  operation: Operation;
  request: Sending;
  progress: Progress;
}

/** One try: its answer, or an AffiliateError. */
async function attempt({ settings, operation, request, progress }: Try) {
  const { name = '', isStream } = operation;
  const headers: Record<string, string> = { ...(await credentialOf(settings)), ...request.headers };
  const timeout = AbortSignal.timeout(timeoutOf(settings, progress));
  // A stream goes on for as long as its reader likes.
  const ends = [settings.signal, isStream ? undefined : timeout].filter((end) => end !== undefined);
  try {
    const response = await fetchTold(settings, progress.attempt, {
      ...request,
      ...{ name, headers, signal: AbortSignal.any(ends) },
    });
    if (isRedirect(response)) throw await unexpected(response, name);
    if (!response.ok) throw await errorOf(response, name);
    return await read(response, operation);
  } catch (cause) {
    if (cause instanceof AffiliateError) throw cause;
    const [message, code] = timeout.aborted
      ? ['The service did not answer in time.', 'TIMEOUT']
      : ['The service cannot be reached.', 'NETWORK_ERROR'];
    throw new AffiliateError(message, { status: 0, code, cause, operation: name });
  }
}

/** Sends, and tells the hooks of it. */
async function fetchTold(settings: Settings, attempt: number, sending: Sending & { name: string }) {
  const { url, name, ...init } = sending;
  const told: RequestInfo = {
    ...{ operation: name, method: init.method ?? '', url, attempt },
    idempotencyKey: init.headers['Idempotency-Key'] ?? null,
  };
  tell(settings.onRequest, told);
  const sentAt = performance.now();
  const answered = (status: number, headers: Headers): void =>
    tell<ResponseInfo>(settings.onResponse, {
      ...{ ...told, status, headers, requestId: headers.get('x-request-id') },
      durationMs: performance.now() - sentAt,
    });
  try {
    // A redirect would turn a POST into a GET, and its answer into one of something else.
    const response = await (settings.fetch ?? fetch)(url, { ...init, redirect: 'manual' });
    answered(response.status, response.headers);
    return response;
  } catch (error) {
    answered(0, new Headers());
    throw error;
  }
}

const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(status);

function timeoutOf({ timeoutMs = 30_000, deadlineMs }: Settings, progress: Progress): number {
  if (deadlineMs === undefined) return timeoutMs;
  const left = deadlineMs - (performance.now() - progress.startedAt);
  return Math.max(1, Math.ceil(Math.min(timeoutMs, left)));
}

/** A hook that fails ends no call. */
function tell<T>(hook: ((told: T) => void) | undefined, told: T): void {
  try {
    hook?.(told);
  } catch {
    // It is a logger's, and the sale is worth more.
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
