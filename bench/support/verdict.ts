/** One figure of a run beside its limit of the same run. */
export interface Figure {
  what: string;
  seen: number;
  unit: string;
  /** What it is compared with; its value makes the ratio. */
  beside?: { what: string; value: number };
  /** The limit of the ratio where there is one, else of the figure itself. */
  target: { most: number } | { least: number };
}

/** Prints figures beside their limits and targets: `missed` is a finding, not an error. */
export function printFigures(figures: readonly Figure[]): void {
  console.table(
    figures.map((figure) => {
      const { what, seen, unit, beside, target } = figure;
      const judged = beside ? seen / beside.value : seen;
      const isMet = 'most' in target ? judged <= target.most : judged >= target.least;
      return {
        figure: what,
        seen: `${rounded(seen)} ${unit}`,
        beside: beside ? `${beside.what} ${rounded(beside.value)}` : '',
        ratio: beside ? rounded(judged) : '',
        target: 'most' in target ? `<= ${target.most}` : `>= ${target.least}`,
        '': isMet ? 'met' : 'missed',
      };
    }),
  );
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** Ends the run with an error when what was stored is not what was answered. */
export function expectEqual(what: string, stored: number, answered: number): void {
  console.log(`${what}: ${stored} stored, ${answered} answered`);
  if (stored !== answered) throw new Error(`${what}: what was stored is not what was answered`);
}

/** Runs a bench: only a wrong result, never a slow one, is an error. */
export function runAlone(main: () => Promise<void>): void {
  void main()
    .catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    })
    .finally(() => process.exit());
}
