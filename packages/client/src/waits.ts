import type { AffiliateError } from './errors.ts';

/** What Retry-After asks for, as seconds or a time; 0 without one that can be read. */
export function retryAfterMs({ retryAfter }: AffiliateError): number {
  const after = retryAfter ?? '0';
  const ms = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return Math.max(0, ms || 0);
}

/** Twice as long after each try, at random between a half and the whole. */
export const backOffMs = (attempt: number): number =>
  Math.min(8_000, 150 * 2 ** attempt) * (0.5 + Math.random() / 2);

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
