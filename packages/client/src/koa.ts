import {
  answerTo,
  rawBodyOf,
  type NodeRequest,
  type OnEvent,
  type VerifyOptions,
} from './receive.ts';

interface KoaContext {
  req: NodeRequest;
  request: object;
  status: number;
  body: unknown;
}

/**
 * Middleware for the webhook's route, before a parser of bodies or behind one that keeps `rawBody`:
 * 204 once `onEvent` is done, 400 for what is not ours, 413 beyond 1 MiB, 500 with a sentence for what
 * you have to change; what `onEvent` throws is Koa's 500, and the delivery comes again.
 */
export function affiliateWebhook(options: VerifyOptions, onEvent: OnEvent) {
  return async (ctx: KoaContext): Promise<void> => {
    const { rawBody, body } = ctx.request as { rawBody?: unknown; body?: unknown };
    const its = { ...options, headers: ctx.req.headers };
    const verdict = await answerTo(its, () => rawBodyOf(ctx.req, rawBody, body), onEvent);
    ctx.status = verdict.status;
    if (verdict.reason !== undefined) ctx.body = verdict.reason;
  };
}
