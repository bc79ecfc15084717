import type { Db } from '../../entities/database/sql';
import type { Sample } from '../../entities/tables/upkeep/figures-row.entity';

export type { Sample };

/** A gauge for /metrics. */
export interface FigureSpec {
  name: string;
  help: string;
  labels?: string[];
  /** Labels of what is there from the start, at 0, and at 0 again when nothing is read of it. */
  zeros?: readonly Record<string, string>[];
}

interface ReadingTime {
  now: Date;
  /** CLICK_RETENTION_MONTHS. */
  clickMonths: number;
}

/**
 * Figures that are read together. Each statement reads an index, and a bounded part of it: beside a
 * million rows it takes less than 100 ms.
 */
export interface FigureReader {
  reader: string;
  figures: readonly FigureSpec[];
  read(db: Db, time: ReadingTime): Promise<Sample[]>;
}

/** Counting stops here: what matters then is that there is far too much. */
export const maxCounted = 10_000;

/** Rows are numbered as they come: the oldest, and those that fail again and again, are among the first. */
export const firstRows = 1_000;

/** The help text of a gauge that counts no further than this. */
export const counted = `${maxCounted} = at least that many`;

/** The series of a gauge that has one and no labels. */
export const zeroOf = [{}];

/** A label with each of its values. */
export function each(label: string, values: readonly string[]): Record<string, string>[] {
  return values.map((value) => ({ [label]: value }));
}
