import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Json = Record<string, unknown>;

export interface VendorCall {
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
}

/** How the next request is met instead of as usual. */
export type Mood =
  | { status: number; headers?: Record<string, string>; body?: string }
  | { silence: true };

export interface Vendor {
  /** The value of the vendor's `..._API_BASE`. */
  url: string;
  calls: VendorCall[];
  /** Objects by the path of their list, newest or oldest first as the vendor has them. */
  lists: Record<string, Json[]>;
  /** The moods of the next answers, used up one by one. */
  moods: Mood[];
  /** Keys that are good. */
  keys: Set<string>;
  /** Called when a request has come. */
  onCall: ((call: VendorCall) => void | Promise<void>) | undefined;
  close(): Promise<void>;
}

interface Kind {
  /** The key of a request, as the vendor wants it. */
  keyOf(headers: IncomingMessage['headers']): string;
  page(objects: readonly Json[], query: URLSearchParams): unknown;
}

/** A vendor's API as far as an import reads it: lists, with their pages, keys and limits. */
export async function startVendor(kind: Kind): Promise<Vendor> {
  const state = {
    calls: [] as VendorCall[],
    lists: {} as Record<string, Json[]>,
    moods: [] as Mood[],
    keys: new Set(['good-key']),
    onCall: undefined as Vendor['onCall'],
  };
  const server = createServer((request, response) => {
    void meet(state, kind, request, response);
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

async function meet(
  state: Omit<Vendor, 'url' | 'close'>,
  kind: Kind,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://vendor');
  const call = { path: url.pathname, query: url.searchParams, headers: request.headers };
  state.calls.push(call);
  await state.onCall?.(call);
  const answer = (status: number, body: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };
  const mood = state.moods.shift();
  if (mood && 'silence' in mood) {
    response.destroy();
    return;
  }
  if (mood) return answer(mood.status, mood.body ?? '{}', mood.headers);
  if (!state.keys.has(kind.keyOf(request.headers))) return answer(401, '{}');
  const objects = state.lists[url.pathname];
  if (!objects) return answer(404, '{}');
  answer(200, JSON.stringify(kind.page(objects, url.searchParams)));
}

const bearer = ({ authorization = '' }: IncomingMessage['headers']): string =>
  authorization.replace(/^Bearer /, '');

/**
 * Rewardful. Basic auth, the secret as the user: developers.rewardful.com/rest-api/overview. `page`, and `limit`
 * of 25 to at most 100: /rest-api/commissions/list. `pagination` beside `data`: /rest-api/overview.
 */
export function startRewardful(): Promise<Vendor> {
  return startVendor({
    keyOf: ({ authorization = '' }) =>
      Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
        .toString()
        .replace(/:$/, ''),
    page(objects, query) {
      const page = Number(query.get('page') ?? 1);
      const limit = Math.min(100, Number(query.get('limit') ?? 25));
      const data = objects.slice((page - 1) * limit, page * limit);
      const total_pages = Math.max(1, Math.ceil(objects.length / limit));
      return {
        pagination: {
          previous_page: page > 1 ? page - 1 : null,
          current_page: page,
          next_page: page < total_pages ? page + 1 : null,
          count: data.length,
          limit,
          total_pages,
          total_count: objects.length,
        },
        data,
      };
    },
  });
}

/**
 * Tolt. Bearer key: docs.tolt.com/api-reference/introduction. `limit` of 10 to at most 100, `order`,
 * `starting_after` with `next_cursor`, `program_id`: /api-reference/commissions/list-commissions.
 */
export function startTolt(): Promise<Vendor> {
  return startVendor({
    keyOf: bearer,
    page(objects, query) {
      const program = query.get('program_id');
      const of = objects.filter((one) => program === null || one['program_id'] === program);
      const limit = Math.min(100, Number(query.get('limit') ?? 10));
      const after = query.get('starting_after');
      const from = after === null ? 0 : Number(after.replace('cur_', ''));
      const data = of.slice(from, from + limit);
      const has_more = from + limit < of.length;
      const next_cursor = has_more ? `cur_${from + limit}` : null;
      return { success: true, message: 'ok', data, has_more, next_cursor, prev_cursor: null };
    },
  });
}

/**
 * FirstPromoter. Bearer key and Account-ID, `page`, and `per_page` of 20 to at most 100:
 * docs.firstpromoter.com/api-reference-v2/api-admin/introduction. Lists are arrays, that of promoters in `data`.
 */
export function startFirstPromoter(): Promise<Vendor> {
  return startVendor({
    keyOf: (headers) => (headers['account-id'] === 'acc-1' ? bearer(headers) : ''),
    page(objects, query) {
      const page = Number(query.get('page') ?? 1);
      const size = Math.min(100, Number(query.get('per_page') ?? 20));
      const data = objects.slice((page - 1) * size, page * size);
      return objects[0] && 'promoter_campaigns' in objects[0]
        ? { data, meta: { pending_count: 0 } }
        : data;
    },
  });
}
