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
 * A handler for `app.post('/webhooks', ...)`, before express.json(): 204 once `onEvent` is done, 400
 * for what is not ours; what it throws goes to `next`, and the delivery comes again.
 */
export function affiliateWebhook(options: VerifyOptions, onEvent: OnEvent) {
  return async (
    request: NodeRequest,
    response: ExpressResponse,
    next: (error: unknown) => void,
  ): Promise<void> => {
    try {
      const delivery = { ...options, headers: request.headers, body: await rawBodyOf(request) };
      const { status, reason } = await answerTo(delivery, onEvent);
      response.statusCode = status;
      response.end(reason);
    } catch (error) {
      next(error);
    }
  };
}
