/** Tells on standard error what took how long, for docs/restore.md. */
export function stopwatch(drill: string): { lap(what: string): void } {
  const start = performance.now();
  let last = start;
  const secondsSince = (then: number): string => ((performance.now() - then) / 1_000).toFixed(1);
  return {
    lap(what) {
      process.stderr.write(
        `drill: ${drill}: ${what} after ${secondsSince(last)} s, ${secondsSince(start)} s in all\n`,
      );
      last = performance.now();
    },
  };
}
