import { createServer } from 'node:http';

/**
 * Links on a domain of your own: https://go.shop.example/acme leads to the shop, and is counted. Behind a
 * proxy of yours, `addressOf` reads the header in which it names the visitor's address.
 */
export function redirectServer({ apiUrl, secretKey, shopUrl, cookie, addressOf = ofSocket }) {
  return createServer(async (request, response) => {
    const report = { secretKey, visitor: visitorOf(request), ip: addressOf(request) };
    const click = await reportClick(apiUrl, report, request).catch(() => undefined);
    if (click?.recorded) {
      const expires = new Date(click.expires_at).toUTCString();
      response.setHeader('Set-Cookie', [
        // The script of pages with data-keep finds it. cookie: 'Domain=shop.example; Path=/; SameSite=Lax; Secure'
        `__selgeo_cid=${click.click_id}; ${cookie}; Expires=${expires}`,
        // Within half an hour the same link is the same click of the same visitor.
        `visitor=${click.visitor_token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=1800`,
      ]);
    }
    response.writeHead(302, { Location: shopUrl, 'Cache-Control': 'no-store' }).end();
  });
}

const ofSocket = ({ socket }) => socket.remoteAddress;
const visitorOf = ({ headers }) => /(?:^|; )visitor=([^;]+)/.exec(headers.cookie ?? '')?.[1];

async function reportClick(apiUrl, { secretKey, visitor, ip }, { url, headers }) {
  const response = await fetch(`${apiUrl}/v1/clicks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secretKey}` },
    body: JSON.stringify({
      ref: new URL(url, 'http://localhost').pathname.slice(1),
      referrer: headers.referer,
      visitor_token: visitor,
      // Who clicked, not who asks: bots are recognised by it.
      user_agent: headers['user-agent'],
      ip,
    }),
    signal: AbortSignal.timeout(2_000),
  });
  return response.json();
}
