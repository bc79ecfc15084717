import Router from '@koa/router';
import type { Context } from 'koa';
import { mount } from '../../../api/http/route-index';

function routerOf(name: string, ...paths: string[]): Router {
  const router = new Router();
  for (const path of paths) {
    router.get(path, (ctx) => {
      ctx.body = `${name} ${path}`;
    });
  }
  return router;
}

async function ask(routers: Router[], path: string): Promise<{ body: unknown; tried: number }> {
  const ctx = { method: 'GET', path, host: '', request: {}, body: 'nothing' };
  const matched: unknown[] = [];
  for (const router of routers) {
    const match = router.match.bind(router);
    router.match = (...asked) => {
      matched.push(router);
      return match(...asked);
    };
  }
  await mount(routers)(ctx as unknown as Context, () => Promise.resolve());
  return { body: ctx.body, tried: matched.length };
}

describe('the index of routes', () => {
  const routers = () => [
    routerOf('shops', '/shops', '/shops/:id'),
    routerOf('orders', '/shops/:id/orders', '/shops/:id/orders/:order'),
    routerOf('best', '/shops/best', '/shops/best/orders/last'),
  ];

  it.each([
    ['/shops', 'shops /shops', 1],
    ['/shops/', 'shops /shops', 1],
    ['/SHOPS/7', 'shops /shops/:id', 1],
    ['/shops/7/orders', 'orders /shops/:id/orders', 1],
    ['/shops/7/orders/8', 'orders /shops/:id/orders/:order', 1],
    // Of two routers that know the path, the first one has it.
    ['/shops/best', 'shops /shops/:id', 1],
    ['/shops/best/orders/last', 'orders /shops/:id/orders/:order', 1],
    ['/shops/7/orders/8/9', 'nothing', 0],
    ['/', 'nothing', 0],
    ['//shops', 'nothing', 0],
  ])('sends %s where it belongs, and asks nobody else', async (path, body, tried) => {
    expect(await ask(routers(), path)).toEqual({ body, tried });
  });

  it('passes on what the first router has only for another method', async () => {
    const first = new Router().post('/shops', () => undefined);
    const second = routerOf('second', '/shops');
    expect(await ask([first, second], '/shops')).toEqual({ body: 'second /shops', tried: 2 });
  });

  it('refuses a pattern that it cannot hold', () => {
    expect(() => mount([routerOf('files', '/files/*path')])).toThrow('cannot hold');
  });
});
