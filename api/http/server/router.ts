import Router from '@koa/router';
import { runnerOf } from '../checks/order-of-checks';
import type { Route } from '../contract/route';

/** A router of these routes, in their order. */
export function routerOf(routes: readonly Route[]): Router {
  const router = new Router();
  for (const route of routes) router[route.method](route.name, route.path, runnerOf(route));
  return router;
}
