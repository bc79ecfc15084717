import type { Context, Middleware } from 'koa';
import type { Deps } from '../../../runtime/process/deps';
import { AppError } from '../../../entities/errors';
import { toAppError, toEnvelope } from '../contract/error-envelope';
import type { RequestContext } from '../contract/request';

/** The only place that writes an error body. What is no refusal and no outage is a bug: 500. */
export function errorEnvelope({ log }: Pick<Deps, 'log'>): Middleware {
  return async function withErrorEnvelope(ctx, next) {
    try {
      await next();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (!error) {
        log.error({ err: thrown, requestId: requestIdOf(ctx) }, 'a request failed unexpectedly');
      } else if (error.status === 503) {
        log.warn({ err: thrown, requestId: requestIdOf(ctx) }, 'a request met an outage');
      }
      writeError(ctx, error ?? new AppError('INTERNAL_ERROR'));
    }
  };
}

function writeError(ctx: Context, error: AppError): void {
  ctx.status = error.status;
  ctx.set(error.headers);
  if (error.status === 401 && !ctx.response.get('WWW-Authenticate')) {
    ctx.set('WWW-Authenticate', 'Bearer');
  }
  ctx.remove('Content-Disposition');
  ctx.body = toEnvelope(error);
}

function requestIdOf(ctx: Context): string {
  return (ctx as RequestContext).requestId;
}
