import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../../../entities/rules/billing/json';

export interface StandInCall {
  method: string;
  path: string;
  query: URLSearchParams;
  key: string;
  body: URLSearchParams;
  idempotencyKey: string | undefined;
}

interface Answer {
  status: number;
  body: Json;
}

export interface StandInEndpoint {
  url: string;
  events: string[];
  secret: string;
  key: string;
  apiVersion: string | null;
  status: 'enabled' | 'disabled';
}

/** Stripe's API as far as we call it: lists, single objects, webhook endpoints, refusals. */
export interface StripeStandIn {
  /** The value of STRIPE_API_BASE. */
  url: string;
  calls: StandInCall[];
  /** What GET of a path answers from now on; lists answer `{data: []}` unless told. */
  set(path: string, object: Json): void;
  /** The checkout sessions of a subscription. */
  lists: Map<string, Json[]>;
  /** Keys that Stripe does not know. */
  unknownKeys: Set<string>;
  /** Paths that no key may touch. */
  forbidden: Set<string>;
  /** Answers 500 to everything while true. */
  broken: boolean;
  /** The endpoints that are registered now, by id. */
  endpoints: Map<string, StandInEndpoint>;
  /** Stripe's list of events, newest first. */
  events: Json[];
  /** Two unless told: Stripe's are of a hundred. */
  eventsOfPage: number;
  countOf(method: string, path: string): number;
  reset(): void;
  close(): Promise<void>;
}

export function createStripeStandIn(): StripeStandIn & { listen(): Promise<void> } {
  const state = createState();
  const server = createServer((request, response) => {
    void readCall(request).then((call) => {
      state.calls.push(call);
      send(response, answerTo(state, call));
    });
  });
  return Object.assign(state, {
    url: '',
    async listen() {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

export async function startStripeStandIn(): Promise<StripeStandIn> {
  const stripe = createStripeStandIn();
  await stripe.listen();
  return stripe;
}

function createState() {
  const objects = new Map<string, Json>();
  return {
    calls: [] as StandInCall[],
    lists: new Map<string, Json[]>(),
    unknownKeys: new Set<string>(),
    forbidden: new Set<string>(),
    broken: false,
    endpoints: new Map<string, StandInEndpoint>(),
    events: [] as Json[],
    eventsOfPage: 2,
    objects,
    set(path: string, object: Json) {
      objects.set(path, object);
    },
    countOf(method: string, path: string) {
      return this.calls.filter((call) => call.method === method && call.path === path).length;
    },
    reset() {
      this.calls.length = 0;
      this.broken = false;
      this.unknownKeys.clear();
      this.forbidden.clear();
      this.lists.clear();
      this.endpoints.clear();
      this.events.length = 0;
      this.eventsOfPage = 2;
      objects.clear();
    },
  };
}

type State = ReturnType<typeof createState>;

async function readCall(request: IncomingMessage): Promise<StandInCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const { authorization = '', 'idempotency-key': idempotencyKey } = request.headers;
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    key: authorization.replace(/^Bearer /, ''),
    body: new URLSearchParams(Buffer.concat(chunks).toString('utf8')),
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
  };
}

function answerTo(state: State, call: StandInCall): Answer {
  if (state.broken) return refusal(500, 'api_error', 'Something went wrong at Stripe.');
  if (state.unknownKeys.has(call.key)) {
    return refusal(401, 'invalid_request_error', 'Invalid API Key provided: rk_****');
  }
  if (state.forbidden.has(call.path)) {
    return refusal(
      403,
      'invalid_request_error',
      'The key lacks the permissions for this endpoint.',
    );
  }
  if (call.path.startsWith('/v1/webhook_endpoints')) return endpointAnswer(state, call);
  if (call.path === '/v1/events') return eventsAnswer(state, call);
  const sessions = state.lists.get(call.query.get('subscription') ?? '');
  if (sessions) return { status: 200, body: { object: 'list', data: sessions, has_more: false } };
  const object = state.objects.get(call.path);
  if (object && call.path === '/v1/invoice_payments') return paymentsAnswer(object, call);
  if (object) return { status: 200, body: object };
  const isList = /^\/v1\/(checkout\/)?[a-z_]+$/.test(call.path);
  if (isList) return { status: 200, body: { object: 'list', data: [], has_more: false } };
  return refusal(404, 'invalid_request_error', 'No such object.');
}

function endpointAnswer(state: State, call: StandInCall): Answer {
  const id = call.path.split('/')[3];
  if (call.method === 'POST' && id === undefined) return register(state, call);
  const endpoint = id === undefined ? undefined : state.endpoints.get(id);
  if (!id || !endpoint || endpoint.key.slice(0, 12) !== call.key.slice(0, 12)) {
    return refusal(404, 'invalid_request_error', 'No such webhook endpoint.');
  }
  if (call.method === 'DELETE') state.endpoints.delete(id);
  if (call.method === 'POST') {
    endpoint.events = eventsIn(call);
    endpoint.url = call.body.get('url') ?? endpoint.url;
    if (call.body.get('disabled') === 'false') endpoint.status = 'enabled';
  }
  return {
    status: 200,
    body: {
      id,
      object: 'webhook_endpoint',
      deleted: call.method === 'DELETE',
      api_version: endpoint.apiVersion,
      enabled_events: endpoint.events,
      status: endpoint.status,
      url: endpoint.url,
    },
  };
}

/** The payments of an invoice or of a payment intent, as they are asked for. */
function paymentsAnswer(list: Json, { query }: StandInCall): Answer {
  const [invoice, intent] = [query.get('invoice'), query.get('payment[payment_intent]')];
  const data = (list['data'] as { invoice: string; payment: { payment_intent: string } }[]).filter(
    (one) =>
      (invoice === null || one.invoice === invoice) &&
      (intent === null || one.payment.payment_intent === intent),
  );
  return { status: 200, body: { ...list, data } };
}

/** Events in Stripe's pages: after the last one of a page, or before the first. */
function eventsAnswer({ events, eventsOfPage }: State, { query }: StandInCall): Answer {
  const since = Number(query.get('created[gte]') ?? 0);
  const found = events.filter(({ created }) => Number(created) >= since);
  const before = query.get('ending_before');
  if (before !== null) {
    const newer = found.slice(
      0,
      Math.max(
        0,
        found.findIndex(({ id }) => id === before),
      ),
    );
    const data = newer.slice(-eventsOfPage);
    return { status: 200, body: { object: 'list', data, has_more: newer.length > data.length } };
  }
  const after = found.findIndex(({ id }) => id === query.get('starting_after'));
  const data = found.slice(after + 1, after + 1 + eventsOfPage);
  const hasMore = found.length > after + 1 + eventsOfPage;
  return { status: 200, body: { object: 'list', data, has_more: hasMore } };
}

function eventsIn({ body }: StandInCall): string[] {
  return [...body].filter(([name]) => name.startsWith('enabled_events')).map(([, type]) => type);
}

function register(state: State, call: StandInCall): Answer {
  const id = `we_${state.endpoints.size + 1}x${Date.now()}`;
  const secret = `whsec_registered_${id}`;
  state.endpoints.set(id, {
    url: call.body.get('url') ?? '',
    events: eventsIn(call),
    secret,
    key: call.key,
    apiVersion: call.body.get('api_version'),
    status: 'enabled',
  });
  const answer = {
    status: 200,
    body: { id, object: 'webhook_endpoint', secret, status: 'enabled' },
  };
  return answer;
}

function refusal(status: number, type: string, message: string): Answer {
  return { status, body: { error: { type, message } } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Stripe-Should-Retry': 'false',
  });
  response.end(JSON.stringify(body));
}
