import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { AFFILIATE_API_URL: api, AFFILIATE_PUBLIC_KEY, AFFILIATE_SECRET_KEY, PORT } = process.env;
const page = readFileSync(new URL('index.html', import.meta.url), 'utf8')
  .replace('{API_URL}', api)
  .replace('{PUBLIC_KEY}', AFFILIATE_PUBLIC_KEY);

/** Tells of a sale once the money is certain. The same order again changes nothing. */
async function reportSale({ id, clickId, amountCents }) {
  const answer = await fetch(`${api}/api/v1/conversions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${AFFILIATE_SECRET_KEY}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({
      external_transaction_id: id,
      event_type: 'purchase',
      click_id: clickId,
      amount_cents: amountCents,
      currency: 'usd',
    }),
  });
  const { code, attributed, message } = await answer.json();
  if (answer.ok) return attributed;
  // Nobody sent this buyer, or the order was reported before.
  if (['NO_ATTRIBUTION_SIGNAL', 'CONVERSION_DUPLICATE'].includes(code)) return false;
  throw new Error(`${answer.status} ${code}: ${message}`);
}

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  if (request.method === 'GET') return void response.end(pathname === '/' ? page : '');
  let body = '';
  for await (const part of request) body += part;
  const clickId = new URLSearchParams(body).get('click_id') || null;
  try {
    // Here your shop takes the money.
    const credited = await reportSale({ id: `plain-${randomUUID()}`, clickId, amountCents: 4900 });
    response.end(credited ? 'Thank you. A partner is credited.' : 'Thank you.');
  } catch (error) {
    // The order stands: report it again later.
    console.error(error.message);
    response.end('Thank you.');
  }
}).listen(Number(PORT), '127.0.0.1');
