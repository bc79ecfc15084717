import type { Config } from '../../runtime/config/config';

/**
 * How long writes that had begun before an erasure may take to end. Copies that an attempt at a webhook leaves must
 * be clean in time, too.
 */
export function settleMsOf({ webhooks }: Pick<Config, 'webhooks'>): number {
  return Math.min(2 * webhooks.timeoutMs, 45_000);
}
