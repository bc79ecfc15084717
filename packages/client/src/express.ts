import type { WebhookEvent } from './generated/resources.ts';
import { receive, type NodeRequest, type VerifyOptions } from './receive.ts';
import { WebhookVerificationError } from './webhooks.ts';

interface ExpressResponse {
  statusCode: number;
  end(text?: string): unknown;
}

/**
 * A handler for `app.post('/webhooks', ...)`, before express.json(): 204 once `onEvent` is done, 400
 * for what is not ours; what it throws goes to `next`, and the delivery comes again.
 */
export function affiliateWebhook(
  options: VerifyOptions,
  onEvent: (event: WebhookEvent) => unknown,
) {
  return async (
    request: NodeRequest,
    response: ExpressResponse,
    next: (error: unknown) => void,
  ): Promise<void> => {
    try {
      await onEvent(await receive(request, options));
      response.statusCode = 204;
      response.end();
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) return next(error);
      response.statusCode = 400;
      response.end(error.message);
    }
  };
}
