import type { Config } from '../../runtime/process/config';

/** Copies that an attempt at a webhook leaves must be clean in time, too. */
const maxSettleMs = 45_000;

/** How long writes that had begun before an erasure may take to end. */
export function settleMsOf({ webhooks }: Pick<Config, 'webhooks'>): number {
  return Math.min(2 * webhooks.timeoutMs, maxSettleMs);
}
