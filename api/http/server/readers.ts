import type { Readable } from 'node:stream';
import type { Context } from 'koa';

/** Longest time of one file, in milliseconds: whoever reads slower keeps other exports waiting. */
const maxFileMs = 30 * 60_000;

/**
 * Answers with a body as it is written of rows that come; both end with each other and with the
 * client, even one that left before there was a body. A failure in the middle ends the connection:
 * a cut file must not look like a whole one.
 */
export function sendStream(
  ctx: Context,
  { body, rows }: { body: Readable; rows: Readable },
  maxMs = maxFileMs,
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
