import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BillerCall {
  method: string;
  path: string;
  query: URLSearchParams;
  key: string;
  body: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

/** A biller's API as far as we call it: what a path answers is set by the test, in the vendor's shapes. */
export interface BillerStandIn {
  url: string;
  calls: BillerCall[];
  /** What a method and path answer: a body, or a status with one; without a slash at the end. */
  answers: Map<string, (call: BillerCall) => { status?: number; body: object }>;
  set(call: string, body: object): void;
  /** Paths that no key may touch. */
  forbidden: Set<string>;
  broken: boolean;
  countOf(method: string, path: string): number;
  reset(): void;
  close(): Promise<void>;
}

export async function startBillerStandIn(): Promise<BillerStandIn> {
  const state = {
    calls: [] as BillerCall[],
    answers: new Map<string, (call: BillerCall) => { status?: number; body: object }>(),
    forbidden: new Set<string>(),
    broken: false,
    set(call: string, body: object) {
      this.answers.set(call, () => ({ body }));
    },
    countOf(method: string, path: string) {
      return this.calls.filter((call) => call.method === method && call.path === path).length;
    },
    reset() {
      this.calls.length = 0;
      this.answers.clear();
      this.forbidden.clear();
      this.broken = false;
    },
  };
  const server = createServer((request, response) => {
    void readCall(request).then((call) => {
      state.calls.push(call);
      const { status = 200, body } = answerTo(state, call);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 204 ? '' : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function answerTo(
  state: Pick<BillerStandIn, 'answers' | 'forbidden' | 'broken'>,
  call: BillerCall,
): { status?: number; body: object } {
  // Stripe's library knows a refusal by its body.
  const error = { type: 'api_error', code: 'refused', message: 'refused' };
  if (state.broken) return { status: 500, body: { error } };
  if (state.forbidden.has(call.path))
    return { status: 403, body: { error: { ...error, code: 'forbidden' } } };
  const answer = state.answers.get(`${call.method} ${call.path}`);
  if (answer) return answer(call);
  // A list that holds nothing, in both vendors' shapes.
  const isList = /^\/(v1\/)?[a-z_-]+$/.test(call.path) && call.method === 'GET';
  const none = { data: [], meta: { pagination: { has_more: false } } };
  return isList
    ? { body: { ...none, items: [], pagination: { total_count: 0, max_page: 1 } } }
    : { status: 404, body: { error } };
}

async function readCall(request: IncomingMessage): Promise<BillerCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const text = Buffer.concat(chunks).toString();
  return {
    method: request.method ?? 'GET',
    path: url.pathname.replace(/\/$/, ''),
    query: url.searchParams,
    key: (request.headers.authorization ?? '').replace(/^Bearer /, ''),
    body: bodyOf(text),
    headers: request.headers,
  };
}

/** JSON, or the form that Stripe's library sends. */
function bodyOf(text: string): Record<string, unknown> {
  if (text.startsWith('{')) return JSON.parse(text) as Record<string, unknown>;
  return Object.fromEntries(new URLSearchParams(text));
}
