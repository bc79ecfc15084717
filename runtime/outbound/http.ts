import { performance } from 'node:perf_hooks';
import { Agent, type Dispatcher } from 'undici';
import { allowedAddresses, guardedConnector, type AddressGuardOptions } from './address-guard';
import { failureMessage } from './failure';
import { forgivingConnector, longestHead } from './interim-answers';
import { createResolver, type ResolveHost } from './resolver';

interface OutboundRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The milliseconds for everything: look-up, connecting, sending, headers and body. */
  timeoutMs: number;
}

/** Expected network failures are values: `ok` is false and `errorMessage` says why. */
export interface OutboundAnswer {
  ok: boolean;
  /** Null when no HTTP answer came. */
  httpStatusCode: number | null;
  /** Null exactly when `ok`. */
  errorMessage: string | null;
  /** The first 16 KiB as text, null without an answer. */
  responseBody: string | null;
  retryAfter: string | undefined;
  durationMs: number;
}

export type OutboundHttp = ReturnType<typeof createOutboundHttp>;

export interface OutboundHttpOptions {
  allowPrivate: boolean;
  connectTimeoutMs: number;
  /** Replaces the name servers, in tests. */
  resolve?: ResolveHost;
  /** Further certificate authority, in tests. */
  ca?: string;
}

const keptBytes = 16 * 1_024;
/** Length of a redirect's target, as a message shows it. */
const longestTarget = 300;

/** Shorter than what servers commonly use, so that we, not they, close an idle connection. */
const keepAliveTimeoutMs = 2_000;

/** Posts to addresses that strangers chose. */
export function createOutboundHttp(options: OutboundHttpOptions) {
  const guard: AddressGuardOptions = {
    allowPrivate: options.allowPrivate,
    resolve: options.resolve ?? createResolver({ timeoutMs: 5_000 }),
  };
  const agent = new Agent({
    connect: forgivingConnector(
      guardedConnector({
        ...guard,
        timeoutMs: options.connectTimeoutMs,
        ...(options.ca === undefined ? {} : { ca: options.ca }),
      }),
    ),
    // A proxy that sets many cookies or a long policy is a receiver like others.
    maxHeaderSize: longestHead,
    keepAliveTimeout: keepAliveTimeoutMs,
    keepAliveMaxTimeout: keepAliveTimeoutMs,
    // The signal of each request is the only clock: these would not stop a slow drip of bytes.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    post: (request: OutboundRequest) => post(agent, request),
    /** Throws BlockedAddressError or UnresolvableHostError when the host may not be dialled now. */
    checkHost: async (hostname: string): Promise<void> => {
      await allowedAddresses(hostname, guard);
    },
    close: (): Promise<void> => agent.destroy(),
  };
}

/** What is known of an answer while it arrives. */
interface Progress {
  httpStatusCode: number | null;
  retryAfter: string | undefined;
  location: string | undefined;
  chunks: Buffer[];
}

async function post(agent: Agent, request: OutboundRequest): Promise<OutboundAnswer> {
  const started = performance.now();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), request.timeoutMs);
  const progress: Progress = {
    httpStatusCode: null,
    retryAfter: undefined,
    location: undefined,
    chunks: [],
  };

  let failure: string | null = null;
  try {
    await exchange(agent, request, { signal: deadline.signal, progress });
  } catch (error) {
    if (deadline.signal.aborted) failure = timeoutMessage(request.timeoutMs, progress);
    // A body that breaks once the status is known changes nothing: only the clock can fail a 2xx.
    else if (progress.httpStatusCode === null) failure = failureMessage(error);
  } finally {
    clearTimeout(timer);
  }
  return toAnswer(progress, failure ?? statusFailure(progress), performance.now() - started);
}

async function exchange(
  agent: Agent,
  request: OutboundRequest,
  { signal, progress }: { signal: AbortSignal; progress: Progress },
): Promise<void> {
  const url = new URL(request.url);
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: request.headers,
    body: request.body,
    signal,
  });
  progress.httpStatusCode = answer.statusCode;
  progress.retryAfter = headerText(answer.headers['retry-after']);
  progress.location = headerText(answer.headers['location']);
  await readStart(answer.body, progress.chunks);
}

/** Reads what is kept and no more; leaving the loop early closes the connection. */
async function readStart(body: Dispatcher.ResponseData['body'], chunks: Buffer[]): Promise<void> {
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= keptBytes) return;
  }
}

function toAnswer(progress: Progress, failure: string | null, durationMs: number): OutboundAnswer {
  return {
    ok: failure === null,
    httpStatusCode: progress.httpStatusCode,
    errorMessage: failure,
    responseBody: progress.httpStatusCode === null ? null : storableText(progress.chunks),
    retryAfter: progress.retryAfter,
    durationMs: Math.round(durationMs),
  };
}

/** Bytes that are no UTF-8 become U+FFFD, and so do zero bytes, which Postgres cannot store. */
function storableText(chunks: Buffer[]): string {
  const bytes = Buffer.concat(chunks).subarray(0, keptBytes);
  return bytes.toString('utf8').replaceAll('\0', '\uFFFD');
}

function statusFailure({ httpStatusCode, location }: Progress): string | null {
  if (httpStatusCode !== null && httpStatusCode >= 200 && httpStatusCode < 300) return null;
  const isRedirect = httpStatusCode !== null && httpStatusCode >= 300 && httpStatusCode < 400;
  if (!isRedirect || !location) return `The receiver answered ${httpStatusCode}.`;
  const target = location.replace(/[^\x21-\x7e]/g, '?').slice(0, longestTarget);
  return `The receiver answered ${httpStatusCode} and redirects to ${target}: no redirect is followed.`;
}

function timeoutMessage(timeoutMs: number, progress: Progress): string {
  const limit = timeoutMs % 1_000 === 0 ? `${timeoutMs / 1_000} s` : `${timeoutMs} ms`;
  return progress.httpStatusCode === null
    ? `No answer within ${limit}.`
    : `The answer did not end within ${limit}.`;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
