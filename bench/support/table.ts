/** Values in milliseconds, sorted or not. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export interface Ratio {
  figure: string;
  /** Milliseconds: without what is measured, and with it. */
  without: number;
  with: number;
  target: number;
}

/** Figures beside what they are without, and the target of their ratio. */
export function printRatios(ratios: readonly Ratio[]): void {
  console.table(
    ratios.map(({ figure, without, with: seen, target }) => ({
      figure,
      'without, ms': round(without),
      'with, ms': round(seen),
      ratio: round(seen / without),
      target: `<= ${target}`,
    })),
  );
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
