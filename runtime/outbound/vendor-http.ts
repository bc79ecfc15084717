import { Agent, type Dispatcher } from 'undici';
import { guardedConnector, type AddressGuardOptions } from './address-guard';
import { failureMessage } from './failure';
import { createResolver } from './resolver';

export interface VendorRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** The milliseconds for everything: look-up, connecting, sending, headers and body. */
  timeoutMs: number;
  /** An operator named this host by a setting: it may be private. */
  isOperators: boolean;
}

/** What came back; failures of the network are values. */
export interface VendorAnswer {
  /** Null when no HTTP answer came. */
  status: number | null;
  /** Whole, or null: what was cut off is no answer. */
  body: string | null;
  retryAfter: string | undefined;
  /** When a limit ends: seconds from now, or since 1970. */
  rateReset: string | undefined;
  /** Why there is no whole answer, in a sentence. */
  failure: string | null;
}

export interface VendorHttp {
  request(request: VendorRequest): Promise<VendorAnswer>;
  close(): Promise<void>;
}

/** A page of a thousand rows is about a megabyte. */
const longestBody = 16 * 1_024 * 1_024;
/** Vendors' servers close what is idle; a request on such a connection would be lost, and is not repeated. */
const keepAliveTimeoutMs = 1_000;

/**
 * Asks services of others, by the guard of outbound addresses. It follows no redirect and repeats nothing: whether
 * a request may be said again, only its sender knows.
 */
export function createVendorHttp(): VendorHttp {
  const resolve = createResolver({ timeoutMs: 5_000 });
  const agents = {
    guarded: agentOf({ allowPrivate: false, resolve }),
    operators: agentOf({ allowPrivate: true, resolve }),
  };
  return {
    request: (request) => ask(agents[request.isOperators ? 'operators' : 'guarded'], request),
    async close() {
      await Promise.all([agents.guarded.destroy(), agents.operators.destroy()]);
    },
  };
}

function agentOf(guard: AddressGuardOptions): Agent {
  return new Agent({
    connect: guardedConnector({ ...guard, timeoutMs: 10_000 }),
    keepAliveTimeout: keepAliveTimeoutMs,
    keepAliveMaxTimeout: keepAliveTimeoutMs,
    pipelining: 1,
    // The signal of each request is the only clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function ask(agent: Agent, request: VendorRequest): Promise<VendorAnswer> {
  const signal = AbortSignal.timeout(request.timeoutMs);
  const answer: VendorAnswer = {
    status: null,
    body: null,
    retryAfter: undefined,
    rateReset: undefined,
    failure: null,
  };
  try {
    const url = new URL(request.url);
    const got = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal,
    });
    answer.status = got.statusCode;
    const header = (name: string): string | undefined => [got.headers[name]].flat()[0];
    answer.retryAfter = header('retry-after');
    answer.rateReset = header('ratelimit-reset') ?? header('x-ratelimit-reset');
    answer.body = await readAll(got.body);
    if (answer.body === null) answer.failure = 'The answer is too long.';
  } catch (error) {
    answer.failure = signal.aborted ? 'No answer in time.' : failureMessage(error);
  }
  return answer;
}

/** Null for more than is read; leaving the loop early closes the connection. */
async function readAll(body: Dispatcher.ResponseData['body']): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longestBody) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\uFFFD');
}
