import type { Middleware } from 'koa';
import { AppError } from '../../../entities/errors';

interface Running {
  since: number;
  giveUp(reason: AppError): void;
}

/**
 * However a dependency hangs, the client gets an answer. Bodies may stream on for longer. The work
 * goes on after the deadline; how it ends is then reported to no client.
 */
export function deadline(): Middleware {
  // One watch for all: a timer for each request would cost more than all else here.
  const running = new Set<Running>();
  setInterval(() => giveUpLate(running), 500).unref();

  return function withDeadline(_ctx, next) {
    return new Promise<void>((resolve, reject) => {
      const own = { since: performance.now(), giveUp: reject };
      running.add(own);
      next().then(
        () => {
          running.delete(own);
          resolve();
        },
        (error: Error) => {
          running.delete(own);
          reject(error);
        },
      );
    });
  };
}

function giveUpLate(running: Set<Running>): void {
  const limit = performance.now() - 25_000;
  for (const request of running) {
    if (request.since > limit) continue;
    // Its place is free only when its work ends.
    request.since = Number.POSITIVE_INFINITY;
    request.giveUp(new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' } }));
  }
}
