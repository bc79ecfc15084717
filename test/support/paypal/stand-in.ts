import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Books, type SentItem, type StandInBatch, type StandInItem } from './books';

type Json = Record<string, unknown>;

export interface StandInCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * How the next request of a kind is met instead of as usual. `silence`: the connection breaks; `after`: once it was
 * taken all the same. `hang`: no answer at all, until the caller gives up.
 */
export type Mood =
  | { status: number; body: Json }
  | { silence: 'before' | 'after' }
  | { hang: 'before' | 'after' };

export type CallKind = 'token' | 'send' | 'ask' | 'item' | 'cancel';

export interface PayPalStandIn {
  /** The value of PAYPAL_API_BASE. */
  url: string;
  calls: StandInCall[];
  books: Books;
  /** Secrets by client id; others are unknown. */
  apps: Map<string, string>;
  /** What tokens may do. */
  scope: string;
  /** Seconds that a token lives. */
  expiresIn: number;
  /** Moods of the next requests of a kind, used up one by one. */
  moods: Partial<Record<CallKind, Mood[]>>;
  /** Called when a request has come, before anything is done with it. */
  onCall: ((kind: CallKind, call: StandInCall) => void | Promise<void>) | undefined;
  itemsOfPage: number;
  /** Tokens that were given out are good for nothing from now on. */
  revokeTokens(): void;
  countOf(kind: CallKind): number;
  reset(): void;
  close(): Promise<void>;
}

export const client = { clientId: 'client-of-the-shop', clientSecret: 'secret-of-the-shop' };
const payoutsScope = 'https://uri.paypal.com/payments/payouts';
/** PayPal names the batch on another of its hosts than the one that was asked. */
const otherHost = 'https://api.sandbox.paypal.com';

/** PayPal's Payouts API as far as we call it, from its published description, with books of its own. */
export async function startPayPalStandIn(now?: () => Date): Promise<PayPalStandIn> {
  const standIn = createPayPalStandIn(now);
  await standIn.listen();
  return standIn;
}

/** The same, not listening yet: its `url` is not known before it does. */
export function createPayPalStandIn(
  now: () => Date = () => new Date(),
): PayPalStandIn & { listen(): Promise<void> } {
  const state = createState(now);
  const server = createServer((request, response) => {
    void meet(state, request, response);
  });
  return Object.assign(state, {
    async listen() {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

type State = ReturnType<typeof createState>;

function createState(now: () => Date) {
  return {
    url: '',
    calls: [] as StandInCall[],
    books: new Books(now),
    apps: new Map([[client.clientId, client.clientSecret]]),
    tokens: new Map<string, string>(),
    scope: `openid ${payoutsScope}`,
    expiresIn: 32_400,
    moods: {} as Partial<Record<CallKind, Mood[]>>,
    onCall: undefined as PayPalStandIn['onCall'],
    itemsOfPage: 1_000,
    revokeTokens() {
      this.tokens.clear();
    },
    countOf(kind: CallKind) {
      return this.calls.filter((call) => kindOf(call) === kind).length;
    },
    reset() {
      this.calls.length = 0;
      this.books = new Books(now);
      this.apps = new Map([[client.clientId, client.clientSecret]]);
      this.tokens.clear();
      Object.assign(this, {
        scope: `openid ${payoutsScope}`,
        expiresIn: 32_400,
        moods: {},
        onCall: undefined,
        itemsOfPage: 1_000,
      });
    },
  };
}

function kindOf({ method, path }: Pick<StandInCall, 'method' | 'path'>): CallKind | undefined {
  if (path === '/v1/oauth2/token') return 'token';
  if (path === '/v1/payments/payouts') return method === 'POST' ? 'send' : undefined;
  if (path.startsWith('/v1/payments/payouts/')) return 'ask';
  if (!path.startsWith('/v1/payments/payouts-item/')) return undefined;
  return path.endsWith('/cancel') ? 'cancel' : 'item';
}

async function meet(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const url = new URL(request.url ?? '', 'http://paypal.test');
  const call: StandInCall = {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  };
  state.calls.push(call);
  const kind = kindOf(call);
  if (!kind) return answer(response, 404, errorOf('RESOURCE_NOT_FOUND'));
  await state.onCall?.(kind, call);
  const mood = state.moods[kind]?.shift();
  if (mood && 'status' in mood) return answer(response, mood.status, mood.body);
  const isBefore = mood && ('silence' in mood ? mood.silence : mood.hang) === 'before';
  const usual = isBefore ? undefined : usualAnswer(state, kind, call);
  if (mood && 'silence' in mood) return void request.socket.destroy();
  if (mood) return;
  answer(response, usual?.status ?? 500, usual?.body ?? {});
}

function answer(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

interface Answer {
  status: number;
  body: Json;
}

export function errorOf(name: string, more: Json = {}): Json {
  return {
    name,
    message: `${name} happened`,
    debug_id: 'f05063556a338',
    information_link: 'https://developer.paypal.com/docs/api/payments.payouts-batch/#errors',
    ...more,
  };
}

/** PayPal takes nothing just now, and says so. */
export const busy: Mood = { status: 429, body: {} };
/** PayPal may have taken it, and fails to say so. */
export const down: Mood = { status: 500, body: errorOf('INTERNAL_ERROR') };
/** PayPal refuses a batch for want of funds. */
export const refused: Mood = { status: 422, body: errorOf('INSUFFICIENT_FUNDS') };
/** PayPal's error of an item for which the funds did not suffice. */
export const funds = { name: 'INSUFFICIENT_FUNDS', message: 'Why' };

function usualAnswer(state: State, kind: CallKind, call: StandInCall): Answer {
  if (kind === 'token') return token(state, call);
  const clientId = state.tokens.get((call.headers.authorization ?? '').replace('Bearer ', ''));
  if (clientId === undefined) return { status: 401, body: errorOf('AUTHENTICATION_FAILURE') };
  if (kind === 'send') return sent(state, clientId, call);
  const [id = '', verb] = call.path.split('/').slice(4);
  if (kind === 'ask') return asked(state, id, call);
  const item = state.books.item(id);
  if (!item) return { status: 404, body: errorOf('INVALID_RESOURCE_ID') };
  if (verb === 'cancel') {
    if (item.word !== 'UNCLAIMED') return { status: 400, body: errorOf('ITEM_INCORRECT_STATUS') };
    state.books.sayOf(item, 'RETURNED');
  }
  return { status: 200, body: itemBody(item) };
}

function token(state: State, { headers, body }: StandInCall): Answer {
  const basic = (headers.authorization ?? '').replace('Basic ', '');
  const [id = '', secret] = Buffer.from(basic, 'base64').toString().split(':');
  const isKnown = state.apps.has(id) && state.apps.get(id) === secret;
  if (!isKnown || body !== 'grant_type=client_credentials') {
    return {
      status: 401,
      body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
    };
  }
  const text = `A21AA${state.tokens.size}${id}${Math.random()}`;
  state.tokens.set(text, id);
  return {
    status: 200,
    body: {
      scope: state.scope,
      access_token: text,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: state.expiresIn,
      nonce: '2026-11-28',
    },
  };
}

interface SentBody {
  sender_batch_header?: {
    sender_batch_id?: string;
    recipient_type?: string;
    email_subject?: string;
  };
  items?: {
    sender_item_id?: string;
    receiver?: string;
    note?: string;
    amount?: { currency?: string; value?: string };
  }[];
}

function sent(state: State, clientId: string, { body }: StandInCall): Answer {
  const { sender_batch_header: header, items = [] } = JSON.parse(body) as SentBody;
  const senderBatchId = header?.sender_batch_id ?? '';
  const subject = header?.email_subject ?? '';
  const rows = items.map((item): SentItem => ({
    reference: item.sender_item_id ?? '',
    address: item.receiver ?? '',
    currency: item.amount?.currency ?? '',
    value: item.amount?.value ?? '',
    note: item.note ?? '',
  }));
  const known = state.books.known(clientId, senderBatchId);
  if (known) return { status: 400, body: duplicateOf(known) };
  const wrong = problemsOf({ senderBatchId, subject, type: header?.recipient_type }, rows);
  if (wrong.length > 0) {
    return { status: 400, body: errorOf('VALIDATION_ERROR', { details: wrong, links: [] }) };
  }
  const batch = state.books.take(clientId, { senderBatchId, subject }, rows);
  return {
    status: 201,
    body: {
      batch_header: {
        payout_batch_id: batch.batchId,
        batch_status: batch.word,
        sender_batch_header: { sender_batch_id: senderBatchId, email_subject: subject },
      },
      links: [linkTo(batch)],
    },
  };
}

const linkTo = ({ batchId }: Pick<StandInBatch, 'batchId'>): Json => ({
  href: `${otherHost}/v1/payments/payouts/${batchId}`,
  rel: 'self',
  method: 'GET',
});

function duplicateOf(batch: StandInBatch): Json {
  return {
    ...errorOf('USER_BUSINESS_ERROR'),
    message: 'User business error.',
    details: [
      {
        field: 'SENDER_BATCH_ID',
        location: 'body',
        issue: 'Batch with given sender_batch_id already exists',
        // Its description says links; what was seen is this.
        link: [linkTo(batch)],
      },
    ],
  };
}

/** What the published description does not allow, and what PayPal is seen to refuse besides. */
function problemsOf(
  header: { senderBatchId: string; subject: string; type: string | undefined },
  rows: readonly SentItem[],
): Json[] {
  const problems: Json[] = [];
  const problem = (field: string, issue: string): void => {
    problems.push({ field, location: 'body', issue });
  };
  if (header.senderBatchId.length < 1 || header.senderBatchId.length > 256) {
    problem('sender_batch_header.sender_batch_id', 'Length is invalid');
  }
  if (header.type !== 'EMAIL') problem('sender_batch_header.recipient_type', 'Invalid type');
  if (header.subject.length > 255) problem('sender_batch_header.email_subject', 'Too long');
  if (rows.length < 1 || rows.length > 15_000) problem('items', 'Number of items is invalid');
  const currencies = new Set(rows.map(({ currency }) => currency));
  if (currencies.size > 1) problem('items', 'Several currencies');
  for (const [index, row] of rows.entries()) {
    const isAddress = /^[^@\s]+@[^@\s.]+\.[^@\s]+$/.test(row.address) && row.address.length <= 127;
    if (!isAddress) {
      problem(`items[${index}].receiver`, 'Receiver is invalid or does not match with type');
    }
    const digits = ['JPY', 'HUF', 'TWD'].includes(row.currency) ? '\\d+' : '\\d+(\\.\\d{1,2})?';
    if (!new RegExp(`^${digits}$`).test(row.value)) problem(`items[${index}].amount`, 'Invalid');
    if (row.reference.length > 63) problem(`items[${index}].sender_item_id`, 'Too long');
    if (row.note.length > 4_000) problem(`items[${index}].note`, 'Too long');
  }
  return problems;
}

function asked(state: State, id: string, { query }: StandInCall): Answer {
  const batch = state.books.batches.get(id);
  if (!batch) return { status: 404, body: errorOf('INVALID_RESOURCE_ID') };
  const size = Math.min(Number(query.get('page_size') ?? 20), state.itemsOfPage);
  const page = Number(query.get('page') ?? 1);
  const listed = batch.items.filter(({ isUnlisted }) => !isUnlisted);
  const shown = listed.slice((page - 1) * size, page * size);
  const totals =
    query.get('total_required') === 'true'
      ? { total_items: listed.length, total_pages: Math.max(1, Math.ceil(listed.length / size)) }
      : {};
  return {
    status: 200,
    body: {
      ...totals,
      batch_header: {
        payout_batch_id: batch.batchId,
        batch_status: batch.word,
        time_created: batch.at.toISOString(),
        sender_batch_header: {
          sender_batch_id: batch.senderBatchId,
          email_subject: batch.subject,
        },
        amount: {
          currency: batch.items[0]?.currency ?? 'USD',
          value: sumOf(batch.items),
        },
      },
      items: shown.map(itemBody),
      links: [linkTo(batch)],
    },
  };
}

function sumOf(items: readonly StandInItem[]): string {
  const digits = Math.max(...items.map(({ value }) => value.split('.')[1]?.length ?? 0));
  const unit = 10 ** digits;
  const sum = items.reduce((total, { value }) => total + Math.round(Number(value) * unit), 0);
  return (sum / unit).toFixed(digits);
}

function itemBody(item: StandInItem): Json {
  return {
    payout_item_id: item.itemId,
    payout_batch_id: item.batchId,
    ...(item.word === null ? {} : { transaction_status: item.word }),
    ...(item.transactionId === null ? {} : { transaction_id: item.transactionId }),
    ...(item.fee === null ? {} : { payout_item_fee: { currency: 'USD', value: item.fee } }),
    ...(item.processedAt === null ? {} : { time_processed: item.processedAt }),
    ...(item.error === null ? {} : { errors: { ...item.error, debug_id: 'c3e1f', links: [] } }),
    payout_item: {
      recipient_type: 'EMAIL',
      receiver: item.address,
      sender_item_id: item.reference,
      note: item.note,
      amount: { currency: item.currency, value: item.value },
    },
    links: [],
  };
}
