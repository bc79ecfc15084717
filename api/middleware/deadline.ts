import type { Middleware } from 'koa';
import { AppError } from '../../entities/errors';

const answerWithinMs = 25_000;
const lookEveryMs = 500;

interface Running {
  since: number;
  giveUp(reason: AppError): void;
}

/**
 * However a dependency hangs, the client gets an answer. Bodies may stream on for longer. The work
 * goes on after the deadline; how it ends is then reported to no client.
 */
export function deadline(): Middleware {
  // Oldest first. One watch for all: a timer for each request would cost more than all else here.
  const running = new Set<Running>();
  setInterval(() => giveUpLate(running), lookEveryMs).unref();

  return function withDeadline(_ctx, next) {
    return new Promise<void>((resolve, reject) => {
      const request: Running = { since: performance.now(), giveUp: reject };
      running.add(request);
      next().then(
        () => {
          running.delete(request);
          resolve();
        },
        (error: Error) => {
          running.delete(request);
          reject(error);
        },
      );
    });
  };
}

function giveUpLate(running: Set<Running>): void {
  const limit = performance.now() - answerWithinMs;
  for (const request of running) {
    if (request.since > limit) return;
    running.delete(request);
    request.giveUp(new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' } }));
  }
}
