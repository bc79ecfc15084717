import { Context } from '@temporalio/activity';

const everyMs = 3_000;

/**
 * Lets the server know that the activity is alive while its work waits for others, and the work that
 * the server no longer waits for it.
 */
export async function whileBeating<T>(work: (cancelled: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  context.heartbeat();
  const beating = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(beating);
  }
}
