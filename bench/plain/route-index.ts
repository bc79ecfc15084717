import type { Context, Middleware, Next } from 'koa';
import type * as RouteIndex from '../../api/http/route-index';
import { substitute } from './substitute';

// Each router is asked in index.
substitute<typeof RouteIndex>('../../api/http/route-index', () => ({
  mount: (routers) => {
    const handlers = routers.map((router) => router.routes() as unknown as Middleware);
    return (ctx: Context, next: Next) => {
      const tryFrom = (index: number): Promise<unknown> => {
        const handler = handlers[index];
        return handler ? (handler(ctx, () => tryFrom(index + 1)) as Promise<unknown>) : next();
      };
      return tryFrom(0);
    };
  },
}));
