import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { minuteMs } from '../../../entities/rules/values/duration';

/**
 * Answers with a body as it is written of rows that come; both end with each other and with the
 * client, even one that left before there was a body. A failure in the middle ends the connection:
 * a cut file must not look like a whole one.
 */
export function sendStream(
  ctx: Context,
  { body, rows }: { body: Readable; rows: Readable },
  /** Longest time of one file: whoever reads slower keeps other exports waiting. */
  maxMs = 30 * minuteMs,
): void {
  const { res } = ctx;
  const end = setTimeout(() => res.socket?.destroy(), maxMs).unref();
  body.once('close', () => {
    clearTimeout(end);
    rows.destroy();
  });
  ctx.body = body;
  if (res.destroyed) body.destroy();
  else res.once('close', () => body.destroy());
}
