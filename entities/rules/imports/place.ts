import type { ImportKind } from './kinds';
import type { SourcePlace } from './source-place';

/** How far the work of an import has come, as people see it. */
export interface ImportProgress {
  step: string;
  done: number;
  /** Null while a source has not told how many there are. */
  total: number | null;
}

/** The next batch of the work: everything before it is done. */
export interface ImportPlace {
  /** The step of the work, from 0. */
  step: number;
  kind: ImportKind | null;
  /** The next part and chunk of files. */
  part: number;
  chunk: number;
  /** The row behind which it goes on. */
  after: number;
  /** The last partner who was told. */
  cursor: string | null;
  /** How far a source by API is read. */
  source?: SourcePlace | null;
}

export const firstPlace: ImportPlace = {
  step: 0,
  kind: null,
  part: 0,
  chunk: 0,
  after: 0,
  cursor: null,
};
