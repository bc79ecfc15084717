import express from 'express';
import { affiliateWebhook } from 'affiliate-programme-client/express';

/** `onEvent` may be called twice for one event: act once for each `event.id`. */
export function createApp({ secrets, onEvent }) {
  const app = express();
  // Before express.json(): the signature is of the bytes as they came.
  app.post('/webhooks', affiliateWebhook({ secrets }, onEvent));
  app.use(express.json());
  return app;
}
