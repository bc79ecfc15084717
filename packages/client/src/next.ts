import { answerTo, type OnEvent, type VerifyOptions } from './receive.ts';

/**
 * `export const POST = affiliateWebhook(...)` of a route handler: 204 once `onEvent` is done, 400 for
 * what is not ours; what it throws is Next's 500, and the delivery comes again.
 */
export function affiliateWebhook(options: VerifyOptions, onEvent: OnEvent) {
  return async (request: Request): Promise<Response> => {
    const delivery = { ...options, headers: request.headers, body: await request.text() };
    const { status, reason } = await answerTo(delivery, onEvent);
    return new Response(reason ?? null, { status });
  };
}
