import { createServer } from 'node:http';

/** Links on a domain of your own: https://go.shop.example/acme leads to the shop, and is counted. */
export function redirectServer({ apiUrl, secretKey, shopUrl, cookie }) {
  return createServer(async (request, response) => {
    const click = await reportClick({ apiUrl, secretKey }, request).catch(() => undefined);
    if (click?.recorded) {
      const expires = new Date(click.expires_at).toUTCString();
      // The script of pages with data-keep finds it. cookie: 'Domain=shop.example; Path=/; SameSite=Lax; Secure'
      response.setHeader(
        'Set-Cookie',
        `__selgeo_cid=${click.click_id}; ${cookie}; Expires=${expires}`,
      );
    }
    response.writeHead(302, { Location: shopUrl, 'Cache-Control': 'no-store' }).end();
  });
}

async function reportClick({ apiUrl, secretKey }, { url, headers, socket }) {
  const response = await fetch(`${apiUrl}/v1/clicks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secretKey}` },
    body: JSON.stringify({
      ref: new URL(url, 'http://localhost').pathname.slice(1),
      referrer: headers.referer,
      // Who clicked, not who asks: bots are recognised by it.
      user_agent: headers['user-agent'],
      ip: socket.remoteAddress,
    }),
    signal: AbortSignal.timeout(2_000),
  });
  return response.json();
}
