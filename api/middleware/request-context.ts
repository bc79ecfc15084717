import type { Context, Middleware } from 'koa';
import { counter, histogram } from '../../activities/runtime/process/metrics';
import type { Deps } from '../../activities/runtime/process/deps';
import { newId } from '../../entities/ids';
import type { ApiServices } from '../http/services';

const requestIdShape = /^[A-Za-z0-9._:-]{1,128}$/;

/** Gives every request its id, its time and its address, and logs it in one line. */
export function requestContext(deps: Deps, services: ApiServices): Middleware {
  const duration = histogram(deps.metrics, {
    name: 'http_request_seconds',
    help: 'Requests by route and status',
    labels: ['method', 'route', 'status'],
  });
  const failures = counter(deps.metrics, {
    name: 'http_aborted_total',
    help: 'Requests whose client left',
  });

  return async function withContext(ctx, next) {
    const given = ctx.get('x-request-id');
    const requestId = requestIdShape.test(given) ? given : newId();
    const started = process.hrtime.bigint();
    Object.assign(ctx, {
      deps,
      services,
      requestId,
      now: deps.clock.now(),
      clientIp: services.addressOf(ctx.req).ip,
    });
    ctx.set('X-Request-Id', requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (deps.config.requireHttps) ctx.set('Strict-Transport-Security', 'max-age=31536000');

    ctx.res.once('close', () => {
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      const route = routeOf(ctx);
      if (!ctx.res.writableFinished) failures.inc();
      duration.observe({ method: ctx.method, route, status: String(ctx.status) }, seconds);
      deps.log.info({
        msg: 'request',
        method: ctx.method,
        path: ctx.path,
        status: ctx.status,
        durationMs: Math.round(seconds * 1e5) / 100,
        requestId,
      });
    });
    await next();
    if (deps.lifecycle.stopping) ctx.set('Connection', 'close');
  };
}

/** The pattern, never the path: a metric must not grow with ids. */
function routeOf(ctx: Context): string {
  return (ctx as unknown as { _matchedRoute?: string })._matchedRoute?.toString() ?? 'none';
}
