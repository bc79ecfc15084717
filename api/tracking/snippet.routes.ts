import type { Context } from 'koa';
import { AppError } from '../../entities/errors';
import { open } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { isCurrent } from '../http/server/static-file';
import type { Snippet } from '../snippet/build';

const route = routesOf('Tracking');

/** Short enough that a correction reaches every page within minutes. */
const shortly = 'public, max-age=300, stale-while-revalidate=86400';
/** These bytes have this address for ever. */
const forAYear = 'public, max-age=31536000, immutable';

const responses = {
  200: {
    contentType: 'text/javascript',
    description: 'The script.',
    example: '<script async src="/v1/selgeo.js" data-merchant="pk_live_..."></script>',
  },
  304: { description: 'The script with this entity tag is the current one.' },
};

/** The script that merchants' pages load. */
export const snippetRoutes: Route[] = [
  route.get(
    '/v1/selgeo.js',
    {
      name: 'getSnippet',
      summary: 'The browser script',
      description:
        'Put a script element on every page: `src` is this path, `data-merchant` your public key. The guide is at /api/docs/integrate.',
      auth: open(null),
      responses,
    },
    (ctx) => send(ctx, ctx.services.snippet, shortly),
  ),

  route.get(
    '/v1/selgeo.:hash.js',
    {
      name: 'getPinnedSnippet',
      summary: 'The browser script, by its hash',
      description:
        'The same bytes under an address of their own, for pages that write down `integrity`: `GET /api/v1/workspace/tracking` and the guide tell both. Earlier releases keep their address.',
      auth: open(null),
      params: { hash: { text: 'NOT_FOUND' } },
      responses,
    },
    (ctx) => {
      const snippet = ctx.services.pinnedSnippets.get(ctx.path);
      if (!snippet) throw new AppError('NOT_FOUND');
      send(ctx, snippet, forAYear);
    },
  ),
];

function send(ctx: Context, { code, etag, zipped }: Snippet, cacheControl: string): void {
  const isZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  ctx.vary('Accept-Encoding');
  ctx.set('ETag', isZipped ? zipped.etag : etag);
  ctx.set('Cache-Control', cacheControl);
  // Pages that isolate themselves (COEP) may load it, too.
  ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
  const known = ctx.get('if-none-match');
  if (isCurrent(known, etag) || isCurrent(known, zipped.etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'text/javascript; charset=utf-8';
  if (isZipped) ctx.set('Content-Encoding', 'gzip');
  ctx.body = isZipped ? zipped.bytes : code;
}
