import type { WebhookEvent } from './generated/resources.ts';
import { receive, type NodeRequest, type VerifyOptions } from './receive.ts';
import { WebhookVerificationError } from './webhooks.ts';

interface KoaContext {
  req: NodeRequest;
  status: number;
  body: unknown;
}

/**
 * Middleware for the webhook's route, before a parser of bodies: 204 once `onEvent` is done, 400 for
 * what is not ours; what it throws is Koa's 500, and the delivery comes again.
 */
export function affiliateWebhook(
  options: VerifyOptions,
  onEvent: (event: WebhookEvent) => unknown,
) {
  return async (ctx: KoaContext): Promise<void> => {
    try {
      await onEvent(await receive(ctx.req, options));
      ctx.status = 204;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      ctx.status = 400;
      ctx.body = error.message;
    }
  };
}
