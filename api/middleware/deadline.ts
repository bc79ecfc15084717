import type { Middleware } from 'koa';
import { AppError } from '../../entities/errors';

const answerWithinMs = 25_000;

/** However a dependency hangs, the client gets an answer. Bodies may stream on for longer. */
export function deadline(): Middleware {
  return async function withDeadline(_ctx, next) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' } })),
        answerWithinMs,
      );
    });
    const work = next();
    // The work goes on after the deadline; its failure then has no one to be told to.
    work.catch(() => undefined);
    try {
      await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
