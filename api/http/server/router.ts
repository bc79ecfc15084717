import Router from '@koa/router';
import { runnerOf } from '../checks/order-of-checks';
import type { Route } from '../contract/route';

/** A router of these routes, in their order. Paths match exactly: by case, and by a slash at the end. */
export function routerOf(routes: readonly Route[]): Router {
  const router = new Router({ sensitive: true, strict: true });
  for (const route of routes) router[route.method](route.name, route.path, runnerOf(route));
  return router;
}
