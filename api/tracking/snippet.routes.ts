import { open } from '../http/contract/credential';
import { contract } from '../http/contract/contract';
import { route, type Route } from '../http/contract/route';
import { isCurrent } from '../http/server/static-file';

/** Short enough that a correction reaches every page within minutes. */
const cacheControl = 'public, max-age=300, stale-while-revalidate=86400';

/** The script that merchants' pages load. */
export const snippetRoutes: Route[] = [
  route.get(
    'getSnippet',
    '/v1/selgeo.js',
    contract(
      {
        summary: 'The browser script',
        description:
          'Put a script element on every page: `src` is this path, `data-merchant` your public key.',
        tag: 'Tracking',
        auth: open(null),
        responses: {
          200: {
            contentType: 'text/javascript',
            description: 'The script.',
            example: '<script async src="/v1/selgeo.js" data-merchant="pk_live_..."></script>',
          },
          304: { description: 'The script with this entity tag is the current one.' },
        },
      },
      (ctx) => {
        const { code, etag } = ctx.services.snippet;
        ctx.set('ETag', etag);
        ctx.set('Cache-Control', cacheControl);
        // Pages that isolate themselves (COEP) may load it, too.
        ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
        if (isCurrent(ctx.get('if-none-match'), etag)) {
          ctx.status = 304;
          return;
        }
        ctx.type = 'text/javascript; charset=utf-8';
        ctx.body = code;
      },
    ),
  ),
];
