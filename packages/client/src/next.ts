import type { WebhookEvent } from './generated/resources.ts';
import type { VerifyOptions } from './receive.ts';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

/**
 * `export const POST = affiliateWebhook(...)` of a route handler: 204 once `onEvent` is done, 400 for
 * what is not ours; what it throws is Next's 500, and the delivery comes again.
 */
export function affiliateWebhook(
  options: VerifyOptions,
  onEvent: (event: WebhookEvent) => unknown,
) {
  return async (request: Request): Promise<Response> => {
    try {
      const body = await request.text();
      await onEvent(verifyWebhook({ ...options, headers: request.headers, body }));
      return new Response(null, { status: 204 });
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return new Response(error.message, { status: 400 });
    }
  };
}
