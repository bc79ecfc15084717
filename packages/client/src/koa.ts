import {
  answerTo,
  rawBodyOf,
  type NodeRequest,
  type OnEvent,
  type VerifyOptions,
} from './receive.ts';

interface KoaContext {
  req: NodeRequest;
  status: number;
  body: unknown;
}

/**
 * Middleware for the webhook's route, before a parser of bodies: 204 once `onEvent` is done, 400 for
 * what is not ours; what it throws is Koa's 500, and the delivery comes again.
 */
export function affiliateWebhook(options: VerifyOptions, onEvent: OnEvent) {
  return async (ctx: KoaContext): Promise<void> => {
    const delivery = { ...options, headers: ctx.req.headers, body: await rawBodyOf(ctx.req) };
    const { status, reason } = await answerTo(delivery, onEvent);
    ctx.status = status;
    if (reason !== undefined) ctx.body = reason;
  };
}
