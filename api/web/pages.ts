import type { Context, Middleware } from 'koa';
import { serveOnce } from '../http/server/static-file';
import { loadWeb, sites, type Site, type WebFiles } from './build';

/** Nothing from elsewhere, nothing written into the page: what is not ours does not run. */
export const webPolicy = [
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

type Serve = (ctx: Context) => void;

/** What is there of a site: its assets by path, and its one page for every other path. */
interface ServedSite {
  base: string;
  page: Serve;
  assets: Map<string, Serve>;
}

/**
 * The dashboard at /app and the partners' portal at /portal: static bytes, one page for all paths
 * below each. An unknown asset is 404, so that an old page of a deploy learns it at once.
 */
export function webPages(demoShopUrl?: string): Middleware {
  let served: ServedSite[] | undefined;
  return function serveWeb(ctx, next) {
    const site = siteOf(ctx.path);
    if (!site || !['GET', 'HEAD'].includes(ctx.method)) return next();
    served ??= servedSites(loadWeb(), demoShopUrl);
    const found = served.find(({ base }) => base === `/${site}`);
    const serve = ctx.path.startsWith(`/${site}/assets/`)
      ? found?.assets.get(ctx.path)
      : found?.page;
    if (!serve) return next();
    serve(ctx);
    return undefined;
  };
}

function siteOf(path: string): Site | undefined {
  const first = path.split('/', 2)[1] ?? '';
  return first in sites ? (first as Site) : undefined;
}

function servedSites({ assets, entries }: WebFiles, shop: string | undefined): ServedSite[] {
  return (Object.keys(sites) as Site[]).map((site) => {
    const base = `/${site}`;
    const { script, style } = entries[site];
    const files = { script: `${base}/assets/${script}`, style: `${base}/assets/${style}` };
    const body = shellOf({ ...files, shop });
    const page = serveOnce(() => ({
      type: 'text/html; charset=utf-8',
      body,
      cacheControl: 'no-cache',
      headers,
    }));
    const served = [...assets].map(([name, bytes]): [string, Serve] => [
      `${base}/assets/${name}`,
      serveOnce(() => ({ type: typeOf(name), body: bytes, cacheControl: immutable, headers })),
    ]);
    return { base, page, assets: new Map(served) };
  });
}

const typeOf = (name: string): string =>
  name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';

interface Shell {
  script: string;
  style: string;
  /** A URL as `URL` writes it: it holds no quote. */
  shop: string | undefined;
}

function shellOf({ script, style, shop }: Shell): string {
  const demoShop = shop && `\n    <meta name="demo-shop" content="${new URL(shop).href}">`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Affiliate Programme</title>${demoShop ?? ''}
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${style}">
    <script type="module" src="${script}"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>This page needs JavaScript. Everything it does is in the API, too: /api/docs.</noscript>
  </body>
</html>
`;
}
