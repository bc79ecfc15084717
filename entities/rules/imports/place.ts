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
  /** Blocks of rows behind `after` that were done before those in front of them. */
  ahead?: Block[];
  /** How far a source by API is read. */
  source?: SourcePlace | null;
}

/** Rows that are worked on in one transaction: behind one, up to another. */
export interface Block {
  from: number;
  to: number;
}

export const firstPlace: ImportPlace = {
  step: 0,
  kind: null,
  part: 0,
  chunk: 0,
  after: 0,
  cursor: null,
};

/** The next blocks of so many rows that are not done, at most `lanes` of them side by side. */
export function nextBlocks(
  { after, ahead = [] }: Pick<ImportPlace, 'after' | 'ahead'>,
  { size, lanes }: { size: number; lanes: number },
): Block[] {
  const done = new Set(ahead.map(({ from }) => from));
  return Array.from({ length: lanes }, (_, lane) => after + lane * size)
    .filter((from) => !done.has(from))
    .map((from) => ({ from, to: from + size }));
}

/** Whether a block is still to be done. */
export function isToBeDone(
  { after, ahead = [] }: Pick<ImportPlace, 'after' | 'ahead'>,
  block: Block,
): boolean {
  return block.from >= after && !ahead.some(({ from }) => from === block.from);
}

/** The place once a block is done: behind it, when everything in front of it is done as well. */
export function withBlock(place: ImportPlace, block: Block): ImportPlace {
  const ahead = [...(place.ahead ?? []), block].sort((a, b) => a.from - b.from);
  let { after } = place;
  while (ahead[0]?.from === after) after = ahead.shift()?.to ?? after;
  return { ...place, after, ahead };
}
