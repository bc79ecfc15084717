import Koa from 'koa';
import { affiliateWebhook } from 'affiliate-programme-client/koa';

/** `onEvent` may be called twice for one event: act once for each `event.id`. */
export function createApp({ secrets, onEvent }) {
  const app = new Koa();
  const receive = affiliateWebhook({ secrets }, onEvent);
  // Before a parser of bodies: the signature is of the bytes as they came.
  app.use((ctx, next) => (ctx.path === '/webhooks' ? receive(ctx) : next()));
  return app;
}
