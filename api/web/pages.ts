import type { Context, Middleware } from 'koa';
import { requireHttps } from '../http/checks/authorize';
import type { RequestContext } from '../http/contract/request';
import { serveOnce } from '../http/server/static-file';
import { loadWeb, sites, type Site, type WebFiles } from './build';

/** Nothing from elsewhere, nothing written into the page: what is not ours does not run. */
const webPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

const headers = {
  'Content-Security-Policy': webPolicy,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

const immutable = 'public, max-age=31536000, immutable';

/** Where links in mails lead, and whose files their pages load. */
const mailPages: Readonly<Record<string, Site>> = {
  '/verify-email': 'app',
  '/refuse-email': 'app',
  '/reset-password': 'app',
  '/accept-invite': 'app',
  '/partner-invite': 'portal',
  '/claim': 'portal',
};

/** Their addresses hold a token, which no other request may carry along. */
const mailHeaders = { ...headers, 'Referrer-Policy': 'no-referrer' };

type Serve = (ctx: Context) => void;

/** What is there of a site: its assets by path, and its one page for every other path. */
interface ServedSite {
  base: string;
  page: Serve;
  mailPage: Serve;
  assets: Map<string, Serve>;
}

/**
 * The dashboard, the partners' portal and the pages that mails lead to: static bytes. One page serves
 * all paths below /app, one all below /portal; each address of a mail has its own. An unknown asset is
 * 404, so that an old page of a deploy learns it at once. HTTPS_REQUIRED over plain http, as everywhere.
 */
export function webPages(demoShopUrl?: string): Middleware {
  let served: ServedSite[] | undefined;
  return function serveWeb(ctx, next) {
    const site = mailPages[ctx.path] ?? siteOf(ctx.path);
    if (!site || !['GET', 'HEAD'].includes(ctx.method)) return next();
    served ??= servedSites(loadWeb(), demoShopUrl);
    const serve = servedAt(
      ctx.path,
      served.find(({ base }) => base === `/${site}`),
    );
    if (!serve) return next();
    requireHttps(ctx as unknown as RequestContext, {});
    serve(ctx);
    return undefined;
  };
}

function servedAt(path: string, site: ServedSite | undefined): Serve | undefined {
  if (path in mailPages) return site?.mailPage;
  return path.startsWith(`${site?.base}/assets/`) ? site?.assets.get(path) : site?.page;
}

function siteOf(path: string): Site | undefined {
  const first = path.split('/', 2)[1] ?? '';
  return first in sites ? (first as Site) : undefined;
}

function servedSites({ assets, entries }: WebFiles, shop: string | undefined): ServedSite[] {
  return (Object.keys(sites) as Site[]).map((site) => {
    const base = `/${site}`;
    const page = pageOf(shellOf({ ...entries[site], base, shop }), headers);
    const mailPage = pageOf(shellOf({ ...entries.mails, base, shop }), mailHeaders);
    const served = [...assets].map(([name, bytes]): [string, Serve] => [
      `${base}/assets/${name}`,
      serveOnce(() => ({ type: typeOf(name), body: bytes, cacheControl: immutable, headers })),
    ]);
    return { base, page, mailPage, assets: new Map(served) };
  });
}

const pageOf = (body: string, itsHeaders: Record<string, string>): Serve =>
  serveOnce(() => ({
    type: 'text/html; charset=utf-8',
    body,
    cacheControl: 'no-cache',
    headers: itsHeaders,
  }));

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  woff2: 'font/woff2',
};

const typeOf = (name: string): string => types[name.split('.').at(-1) ?? ''] ?? '';

/** The sign of the product, as web/ui/brand.tsx draws it. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#4340d2"/><g fill="none" stroke="#fff" stroke-width="3"><circle cx="12" cy="16" r="5"/><circle cx="20.5" cy="16" r="5" opacity=".65"/></g></svg>';

interface Shell {
  base: string;
  script: string;
  style: string;
  /** A URL as `URL` writes it: it holds no quote. */
  shop: string | undefined;
}

function shellOf({ base, script, style, shop }: Shell): string {
  const demoShop = shop && `\n    <meta name="demo-shop" content="${new URL(shop).href}">`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Affiliate Programme</title>${demoShop ?? ''}
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
    <link rel="stylesheet" href="${base}/assets/${style}">
    <script type="module" src="${base}/assets/${script}"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>This page needs JavaScript. Everything it does is in the API, too: /api/docs.</noscript>
  </body>
</html>
`;
}
