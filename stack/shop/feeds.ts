import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Login } from '../demo/state';
import { feedsPage } from './feeds-page';
import { createSession, type Session } from './session';

export interface FeedsOptions {
  apiUrl: string;
  programId: string;
  promoCode: string;
  secretKey: string;
  /** Whose feeds: the page has no login of its own, and is for this machine only. */
  merchant: Login;
  partner: Login;
}

const feedPaths = {
  merchant: '/api/v1/notifications',
  partner: '/api/v1/partner/notifications',
} as const;
type Side = keyof typeof feedPaths;

/** Answers what lies below /feeds; false when the path is another one. */
export type Feeds = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * A page with the feeds of both sides. Its streams come from the API itself: this server only gets
 * the tickets, and does what a merchant would do with a commission.
 */
export function createFeeds(options: FeedsOptions): Feeds {
  const { apiUrl } = options;
  const sessions: Record<Side, Session> = {
    merchant: createSession({ apiUrl, side: 'merchant', login: options.merchant }),
    partner: createSession({ apiUrl, side: 'partner', login: options.partner }),
  };
  const calls: Calls = { sessions, steps: createSteps(options, sessions.merchant) };
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, root, part = '', what = '', ...rest] = pathname.split('/');
    if (root !== 'feeds' || rest.length > 0) return false;
    if (part === '' && request.method === 'GET') {
      const page = feedsPage({ apiUrl, feedPaths });
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
      return true;
    }
    const id = searchParams.get('id') ?? '';
    const answer = await callFor(calls, { part, what: `${request.method} ${what}`, id });
    if (!answer) return false;
    response.writeHead(answer.status, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(await answer.text());
    return true;
  };
}

interface Calls {
  sessions: Record<Side, Session>;
  steps: Partial<Record<string, Step>>;
}

/** The call of the API behind a button of the page; undefined where there is none. */
function callFor(
  { sessions, steps }: Calls,
  { part, what, id }: { part: string; what: string; id: string },
): Promise<Response> | undefined {
  if (part === 'do') return steps[what]?.(id);
  if (part !== 'merchant' && part !== 'partner') return undefined;
  const path = feedPaths[part];
  if (what === 'GET list') return sessions[part](`${path}?limit=12`);
  if (what === 'POST ticket') return sessions[part](`${path}/stream-ticket`, { method: 'POST' });
  if (what === 'POST read') return sessions[part](`${path}/read-all`, { method: 'POST' });
  return undefined;
}

type Step = (id: string) => Promise<Response>;

/** The life of a commission by method and path, one call a step: each takes an id from the answer to the one before. */
function createSteps(options: FeedsOptions, merchant: Session): Partial<Record<string, Step>> {
  const { apiUrl, programId, promoCode, secretKey } = options;
  const commission = (id: string) =>
    `/api/v1/programs/${programId}/commissions/${encodeURIComponent(id)}`;
  return {
    'POST sell': () =>
      fetch(`${apiUrl}/api/v1/conversions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secretKey}` },
        body: JSON.stringify({
          external_transaction_id: `feeds-${randomUUID()}`,
          event_type: 'purchase',
          promo_code: promoCode,
          amount_cents: 4_900,
          currency: 'usd',
          customer_id: `customer-${randomUUID()}`,
        }),
      }),
    'POST approve': (id) =>
      merchant(`${commission(id)}/approve-override`, {
        method: 'PATCH',
        body: { reason: 'A partner we know well' },
      }),
    'POST pay': (id) =>
      merchant('/api/v1/payouts', { method: 'POST', body: { programId, commissionIds: [id] } }),
    'POST complete': (id) =>
      merchant(`/api/v1/payouts/${encodeURIComponent(id)}/complete`, { method: 'POST' }),
  };
}
