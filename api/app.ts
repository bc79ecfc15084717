import type { RequestListener } from 'node:http';
import Koa, { type Context, type Middleware } from 'koa';
import type Router from '@koa/router';
import type { Deps } from '../runtime/process/deps';
import { AppError } from '../entities/errors';
import { direct } from './http/server/direct';
import { readParsed } from './http/contract/body/body';
import type { ApiServices } from './http/contract/request';
import { routerOf } from './http/server/router';
import { crossOrigin } from './http/server/cors';
import { deadline } from './http/server/deadline';
import { errorEnvelope } from './http/server/errors';
import { requestContext } from './http/server/request-context';
import { providerEvents } from './inbound/provider-event-count';
import { routes } from './routes';
import { createServices } from './services';
import { webPages } from './web/pages';

export interface App {
  listener: RequestListener;
  services: ApiServices;
  /** Ends the open streams: whatever else is open ends by itself. */
  endStreams(): void;
  /** Writes what requests left in memory, once all of them are answered. */
  finish(): Promise<void>;
}

/** Each of them is most of all requests somewhere; see direct. */
const busiest = ['recordClick', 'reportConversion'];

/** The public HTTP application. The order of the middleware is visible here and nowhere else. */
export function createApp(deps: Deps): App {
  const services = createServices(deps);
  providerEvents(deps.metrics);
  const router = routerOf(routes);
  const koa = new Koa();
  koa.context['readText'] = function read(this: Context) {
    return readParsed(this);
  };
  koa.on('error', (error: Error) => {
    // Clients that leave in the middle of an answer.
    deps.log.debug({ err: error }, 'a response could not be sent');
  });

  const around = [
    requestContext(deps, services),
    errorEnvelope(deps),
    crossOrigin(deps.config),
    deadline(),
  ];
  const pages = deps.config.dashboard ? [webPages(deps.config.demoShopUrl)] : [];
  for (const middleware of [...around, ...pages, router.routes(), noRoute(router)]) {
    koa.use(middleware);
  }
  const onError = (error: unknown): void =>
    deps.log.error({ err: error }, 'a request failed unexpectedly');
  const listener = direct({ around, routes, names: busiest, onError }, koa.callback());
  return {
    listener,
    services,
    endStreams: () => services.streams.close(),
    finish: () => services.clicks.flush(),
  };
}

/** 404 for an unknown path, 405 with Allow for a known one. */
function noRoute(router: Router): Middleware {
  return function refuseUnknown(ctx: Context) {
    const { path: layers } = router.match(ctx.path, ctx.method);
    const methods = new Set(layers.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new AppError('NOT_FOUND');
    throw new AppError('METHOD_NOT_ALLOWED', {
      headers: { Allow: [...methods].sort().join(', ') },
    });
  };
}
