export const figureMetrics = ['customers', 'conversions', 'revenue'] as const;
export type FigureMetric = (typeof figureMetrics)[number];
export const maxAtLeast = 1_000_000_000_000;

/** What a partner has brought: in all, and by sales alone that an import brought. */
export interface Figure {
  all: number;
  imported: number;
}

/** What imported sales alone have reached is taken as given: nobody is moved or paid for it. */
export function isReached({ all, imported }: Figure, atLeast: number): boolean {
  return all >= atLeast && imported < atLeast;
}
