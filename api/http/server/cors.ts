import cors from '@koa/cors';
import type { Context, Middleware } from 'koa';
import type { Config } from '../../../runtime/config/config';

const allowed = [
  'Authorization',
  'Content-Type',
  'X-Mode',
  'Idempotency-Key',
  'Last-Event-ID',
  'X-Request-Id',
];
const exposed = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
  'Location',
  'Content-Disposition',
];

/** Any origin for clicks and snippet, configured lists for the waitlist and for all else. */
export function crossOrigin(config: Config): Middleware {
  const shared = {
    allowMethods: 'GET,HEAD,PUT,POST,DELETE,PATCH',
    allowHeaders: allowed,
    exposeHeaders: exposed,
    keepHeadersOnError: false,
    maxAge: 600,
  };
  const anyone = cors({ ...shared, origin: '*' });
  const exposedToAll = exposed.join(',');
  const listed = cors({ ...shared, origin: (ctx) => allowedOrigin(ctx, config) });
  return function withCors(ctx, next) {
    if (!ctx.path.startsWith('/v1/')) return listed(ctx, next);
    if (ctx.method === 'OPTIONS') return anyone(ctx, next);
    // Without an Origin the library says nothing, and a cache would keep that for browsers, too.
    ctx.vary('Origin');
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', exposedToAll);
    return next();
  };
}

/** The request's origin when it is listed exactly; otherwise none. */
function allowedOrigin(ctx: Context, config: Config): string {
  const origins = ctx.path.startsWith('/api/public/waitlist')
    ? config.waitlistOrigins
    : config.corsOrigins;
  const origin = ctx.get('origin');
  return origins.includes(origin) ? origin : '';
}
