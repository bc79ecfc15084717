import { chunksOf, readWhole } from './bodies.ts';
import { answerTo, parsed, type OnEvent, type VerifyOptions } from './receive.ts';

/**
 * `export const POST = affiliateWebhook(...)` of a route handler, and whatever else takes a standard
 * Request, such as Workers, Deno, Bun and Hono: 204 once `onEvent` is done, 400 for what is not ours,
 * 413 beyond 1 MiB, 500 with a sentence for what you have to change; what `onEvent` throws is the
 * framework's 500, and the delivery comes again.
 */
export function affiliateWebhook(options: VerifyOptions, onEvent: OnEvent) {
  return async (request: Request): Promise<Response> => {
    const bodyOf = () => {
      if (request.bodyUsed) throw parsed();
      return readWhole(chunksOf(request.body), request.headers.get('content-length'));
    };
    const its = { ...options, headers: request.headers };
    const { status, reason } = await answerTo(its, bodyOf, onEvent);
    return new Response(reason ?? null, { status });
  };
}
