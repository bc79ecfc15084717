export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: minuteMs, h: hourMs, d: dayMs };

/** `5m` -> 300000; NaN for what is no duration. Units: ms, s, m, h, d. */
export function durationToMs(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  return Number(count) * Number(unitMs[unit]);
}

/** A processor gives whole seconds, so the payment lies anywhere within the second that it names. */
export const processorPrecisionMs = 999;
