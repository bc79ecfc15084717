import type { Middleware } from 'koa';
import { UnderWay } from '../../../runtime/load/under-way';
import { AppError } from '../../../entities/errors';

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
  // One watch for all: a timer for each request would cost more than all else here.
  const running = new UnderWay<Running>();
  setInterval(() => giveUpLate(running), lookEveryMs).unref();

  return function withDeadline(_ctx, next) {
    return new Promise<void>((resolve, reject) => {
      const place = running.add({ since: performance.now(), giveUp: reject });
      next().then(
        () => {
          running.remove(place);
          resolve();
        },
        (error: Error) => {
          running.remove(place);
          reject(error);
        },
      );
    });
  };
}

function giveUpLate(running: UnderWay<Running>): void {
  const limit = performance.now() - answerWithinMs;
  for (const request of running.all()) {
    if (request.since > limit) continue;
    // Its place is free only when its work ends.
    request.since = Number.POSITIVE_INFINITY;
    request.giveUp(new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '5' } }));
  }
}
