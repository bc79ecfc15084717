import type { Context, Middleware } from 'koa';
import { counter, histogram } from '../../../runtime/observe/metrics';
import type { Deps } from '../../../runtime/process/deps';
import { newId } from '../../../entities/ids';
import { isRequestId } from '../../../entities/rules/values/request-id';
import type { ApiServices } from '../contract/request';

/** Gives every request its id, its time and its address, and logs it in one line. */
export function requestContext(deps: Deps, services: ApiServices): Middleware {
  const duration = histogram(deps.metrics, {
    name: 'http_request_seconds',
    help: 'Requests by route and status',
    labels: ['method', 'route', 'status'],
  });
  const answers = counter(deps.metrics, {
    name: 'http_responses_total',
    help: 'Requests that were answered, by the class of their status',
    labels: ['class'],
    zeros: ['2xx', '3xx', '4xx', '5xx'].map((of) => ({ class: of })),
  });
  const failures = counter(deps.metrics, {
    name: 'http_aborted_total',
    help: 'Requests whose client left',
    zeros: [{}],
  });

  return async function withContext(ctx, next) {
    const started = performance.now();
    const request = ctx as unknown as Given;
    const requestId = requestIdOf(ctx);
    request.deps = deps;
    request.services = services;
    request.requestId = requestId;
    request.now = deps.clock.now();
    request.clientIp = services.addressOf(ctx.req).ip;
    ctx.set('X-Request-Id', requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (deps.config.requireHttps) ctx.set('Strict-Transport-Security', 'max-age=31536000');

    ctx.res.once('close', () => {
      const seconds = (performance.now() - started) / 1_000;
      const route = routeOf(ctx);
      if (ctx.res.writableFinished) answers.inc({ class: `${String(ctx.status)[0]}xx` });
      else failures.inc();
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

interface Given {
  deps: Deps;
  services: ApiServices;
  requestId: string;
  now: Date;
  clientIp: string;
}

/** The client's, when it gave one of a good form. */
function requestIdOf({ req }: Context): string {
  const given = req.headers['x-request-id'];
  return isRequestId(given) ? given : newId();
}

/** The pattern, never the path: a metric must not grow with ids. */
function routeOf(ctx: Context): string {
  return String(ctx['_matchedRoute'] ?? 'none');
}
