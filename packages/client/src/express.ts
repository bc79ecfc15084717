import {
  answerTo,
  rawBodyOf,
  type NodeRequest,
  type OnEvent,
  type VerifyOptions,
} from './receive.ts';

interface ExpressResponse {
  statusCode: number;
  end(text?: string): unknown;
}

/**
 * A handler for `app.post('/webhooks', ...)`, before express.json(); also of Nest and Firebase, which
 * keep `rawBody`: 204 once `onEvent` is done, 400 for what is not ours, 413 beyond 1 MiB, 500 with a
 * sentence for what you have to change; what `onEvent` throws goes to `next`, and the delivery comes
 * again.
 */
export function affiliateWebhook(options: VerifyOptions, onEvent: OnEvent) {
  return async (
    request: NodeRequest,
    response: ExpressResponse,
    next: (error: unknown) => void,
  ): Promise<void> => {
    try {
      const its = { ...options, headers: request.headers };
      const { status, reason } = await answerTo(its, () => rawBodyOf(request), onEvent);
      response.statusCode = status;
      response.end(reason);
    } catch (error) {
      next(error);
    }
  };
}
