import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { AffiliateClient, AffiliateError } from '../../packages/client/src';
import { shopPage } from './page';

export interface ShopOptions {
  port: number;
  apiUrl: string;
  publicKey: string;
  secretKey: string;
  /** The public key of the workspace that a link is of; without it links are taken for the shop's own. */
  keyOfLink?: (ref: string) => Promise<string | undefined>;
  /** The currency of the programme behind a public key; without it the shop sells in dollars. */
  currencyOf?: (publicKey: string) => Promise<string | undefined>;
}

export interface Shop {
  url: string;
  stop: () => Promise<void>;
}

const PRICE_CENTS = 4_900;
const USUAL_CURRENCY = 'usd';
const LARGEST_BODY = 10_000;

/** A merchant's shop for the demo: its page carries the snippet, its server reports what is bought. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const server = createServer((request, response) => {
    answer(options, request, response).catch((error: Error) =>
      sendJson(response, 502, {
        message: `The shop could not reach the service: ${error.message}`,
      }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${options.port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  options: ShopOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/buy' && request.method === 'POST') {
    return reportPurchase(options, await readOrder(request), response);
  }
  if (pathname === '/') {
    const page = await pageFor(options, searchParams);
    return void response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
  }
  sendJson(response, 404, { message: 'Not in this shop.' });
}

/** A new merchant sees clicks of their own here, and gives the key that reports their sales. */
async function pageFor(options: ShopOptions, asked: URLSearchParams): Promise<string> {
  const named = /^pk_(test|live)_[\w-]+$/.exec(asked.get('key') ?? '')?.[0];
  const ref = asked.get('ref');
  const ofLink = named ?? (ref ? await options.keyOfLink?.(ref) : undefined);
  const publicKey = ofLink ?? options.publicKey;
  const isOwn = publicKey === options.publicKey;
  const currency = (await options.currencyOf?.(publicKey)) ?? USUAL_CURRENCY;
  return shopPage({ ...options, publicKey, priceCents: PRICE_CENTS, currency, isOwn });
}

/** What a merchant's server does after a payment: one call with its secret key. */
async function reportPurchase(
  { apiUrl, secretKey: own }: ShopOptions,
  signals: Signals,
  response: ServerResponse,
): Promise<void> {
  const order = `shop-${randomUUID()}`;
  const client = new AffiliateClient({ apiKey: signals.secretKey ?? own, baseUrl: apiUrl });
  try {
    const conversion = await client.conversions.report({
      external_transaction_id: order,
      event_type: 'purchase',
      ...(signals.clickId !== null && { click_id: signals.clickId }),
      ...(signals.promoCode !== null && { promo_code: signals.promoCode }),
      amount_cents: PRICE_CENTS,
      currency: signals.currency ?? USUAL_CURRENCY,
      customer_id: `customer-${order}`,
    });
    sendJson(response, 201, conversion);
  } catch (error) {
    if (!(error instanceof AffiliateError) || error.status === 0) throw error;
    const { status, code, message, details } = error;
    sendJson(response, status, { code, message, details });
  }
}

/** What the page knows of where its buyer came from. */
interface Signals {
  clickId: string | null;
  promoCode: string | null;
  /** Typed where the page carries another merchant's tag: what stands in their server's settings else. */
  secretKey: string | null;
  /** As the page has shown it. */
  currency: string | null;
}

async function readOrder(request: IncomingMessage): Promise<Signals> {
  let body = '';
  for await (const chunk of request) {
    if (body.length < LARGEST_BODY) body += String(chunk);
  }
  const { clickId, promoCode, secretKey, currency } = parseObject(body);
  return {
    clickId: textOf(clickId),
    promoCode: textOf(promoCode),
    secretKey: textOf(secretKey),
    currency: textOf(currency),
  };
}

function parseObject(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
    .end(JSON.stringify(body));
}
