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
  const steps = createSteps(options, sessions.merchant);
  const ask = (side: Side, what: string): Promise<Response> | undefined => {
    const path = feedPaths[side];
    if (what === 'GET list') return sessions[side](`${path}?limit=12`);
    if (what === 'POST ticket') return sessions[side](`${path}/stream-ticket`, { method: 'POST' });
    if (what === 'POST read') return sessions[side](`${path}/read-all`, { method: 'POST' });
    return undefined;
  };

  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, root, part = '', what = '', ...rest] = pathname.split('/');
    if (root !== 'feeds' || rest.length > 0) return false;
    if (part === '' && request.method === 'GET') {
      const page = feedsPage({ apiUrl, feedPaths });
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
      return true;
    }
    const step = part === 'do' && request.method === 'POST' ? steps[what] : undefined;
    const answer = step
      ? await step(searchParams.get('id') ?? '')
      : part === 'merchant' || part === 'partner'
        ? await ask(part, `${request.method} ${what}`)
        : undefined;
    if (!answer) return false;
    response.writeHead(answer.status, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(await answer.text());
    return true;
  };
}

type Step = (id: string) => Promise<Response>;

/** The life of a commission, one call a step: each takes an id from the answer to the one before. */
function createSteps(options: FeedsOptions, merchant: Session): Partial<Record<string, Step>> {
  const { apiUrl, programId, promoCode, secretKey } = options;
  const commission = (id: string) =>
    `/api/v1/programs/${programId}/commissions/${encodeURIComponent(id)}`;
  return {
    sell: () =>
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
    approve: (id) =>
      merchant(`${commission(id)}/approve-override`, {
        method: 'PATCH',
        body: { reason: 'A partner we know well' },
      }),
    pay: (id) =>
      merchant('/api/v1/payouts', { method: 'POST', body: { programId, commissionIds: [id] } }),
    complete: (id) =>
      merchant(`/api/v1/payouts/${encodeURIComponent(id)}/complete`, { method: 'POST' }),
  };
}
