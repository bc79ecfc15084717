const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `5m` -> 300000; NaN for what is no duration. Units: ms, s, m, h, d. */
export function durationToMs(text: string): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  const unit = unitMs[match?.[2] ?? ''];
  return unit === undefined ? Number.NaN : Number(match?.[1]) * unit;
}
