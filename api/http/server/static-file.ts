import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'koa';

export interface StaticFile {
  type: string;
  body: string | Buffer;
  cacheControl: string;
  /** Headers beside those of the cache. */
  headers?: Record<string, string>;
  /** True for a file that is compressed by its own form: it is sent as it is. */
  isPacked?: boolean;
}

interface Built {
  etag: string;
  plain: Buffer;
  zipped: Buffer | undefined;
  file: StaticFile;
}

/**
 * Serves what is the same for everybody: built when it is first asked for and kept as bytes, plain
 * and compressed, so that a request costs nothing but its sending.
 */
export function serveOnce(build: () => StaticFile): (ctx: Context) => void {
  let built: Built | undefined;
  return (ctx) => {
    built ??= toBuilt(build());
    const { etag, plain, zipped, file } = built;
    ctx.set('ETag', etag);
    ctx.set('Cache-Control', file.cacheControl);
    ctx.set(file.headers ?? {});
    ctx.vary('Accept-Encoding');
    if (isCurrent(ctx.get('if-none-match'), etag)) {
      ctx.status = 304;
      return;
    }
    ctx.type = file.type;
    const isZipped = zipped && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isZipped) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isZipped ? zipped : plain;
  };
}

function toBuilt(file: StaticFile): Built {
  const plain = Buffer.from(file.body);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  // Weak: the compressed bytes are another form of the same thing.
  return { etag: `W/"${hash}"`, plain, zipped: file.isPacked ? undefined : gzipSync(plain), file };
}

/**
 * Weak comparison of If-None-Match (RFC 9110, 13.1.2). Koa's own `fresh` also honours the
 * `no-cache` that some clients send along, which is meant for caches on the way.
 */
export function isCurrent(ifNoneMatch: string, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return ifNoneMatch
    .split(',')
    .map(bare)
    .some((tag) => tag === '*' || tag === bare(etag));
}
