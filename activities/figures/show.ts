import { gauge, type Registry } from '../../runtime/observe/metrics';
import type { ReadFigures } from './read';
import type { FigureReader, FigureSpec } from './reader';

/**
 * Registers the gauges of all readers, at 0, and returns a function that sets them to what was read.
 * `figures_age_seconds{reader}` is the time since the last reading, or since the process started when
 * there was none.
 */
export function createFigures(
  metrics: Registry,
  readers: readonly FigureReader[],
): (found: readonly ReadFigures[]) => void {
  const shown = readers.map((reader) => ({
    name: reader.reader,
    show: gaugesOf(metrics, reader.figures),
    readAt: performance.now(),
  }));
  const help = 'How long ago the figures of a reader were read, by any process';
  const age = gauge(metrics, { name: 'figures_age_seconds', help, labels: ['reader'] });
  Object.assign(age, {
    collect() {
      for (const { name, readAt } of shown) {
        age.set({ reader: name }, (performance.now() - readAt) / 1_000);
      }
    },
  });
  return (found) => {
    for (const { reader, samples, ageSeconds } of found) {
      const one = shown.find(({ name }) => name === reader);
      if (!one) continue;
      one.readAt = performance.now() - ageSeconds * 1_000;
      one.show(samples);
    }
  };
}

function gaugesOf(metrics: Registry, specs: readonly FigureSpec[]) {
  const gauges = new Map(specs.map((spec) => [spec.name, { spec, figure: gauge(metrics, spec) }]));
  const toZero = (): void => {
    for (const { spec, figure } of gauges.values()) {
      figure.reset();
      for (const labels of spec.zeros ?? []) figure.set(labels, 0);
    }
  };
  toZero();
  return (samples: ReadFigures['samples']): void => {
    toZero();
    for (const { name, labels = {}, value } of samples) {
      gauges.get(name)?.figure.set(labels, value);
    }
  };
}
