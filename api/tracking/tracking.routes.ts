import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { presentTracking, TrackingDto } from './tracking.dto';
import { lastArrivals, lastBillerEvents, listOrigins } from './tracking.queries';

const route = routesOf('Workspace');

/** Whether the script on a merchant's pages works, in the mode of the request. */
export const trackingRoutes: Route[] = [
  route.get(
    '/api/v1/workspace/tracking',
    {
      name: 'getTracking',
      summary: 'Whether tracking works',
      description:
        'What arrived last from your pages, your server and your billers, and the address of the script with its hash. A click shows within a second or two. `guideUrl` leads from the script to the first attributed sale.',
      auth: merchant('viewer'),
      responses: { 200: { type: TrackingDto } },
    },
    async (ctx) => {
      const { config } = ctx.deps;
      const last = await lastArrivals(ctx.db, ctx.scope);
      const billers = await lastBillerEvents(ctx.db, ctx.scope);
      const origins = await listOrigins(ctx.db, ctx.scope, ctx.now);
      const { snippet } = ctx.services;
      ctx.body = presentTracking(snippet, config.publicBaseUrl, { last, billers, origins });
    },
  ),
];
