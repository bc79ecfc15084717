import { importKinds, type ImportKind, type ImportMapping } from './kinds';
import { templates, type Template } from './templates';

/** A file by its kind and the names of its columns. */
export interface HeaderOf {
  kind: ImportKind;
  header: readonly string[];
}

/** What files of a system that is known mean: nothing of it holds before somebody takes it. */
export interface Suggestion {
  system: string;
  /** The columns that the files have and nobody has named, by ours. */
  mapping: ImportMapping;
  statuses: Readonly<Record<string, string>>;
}

/** Fewer columns that a system alone names say nothing of where files come from. */
const fewest = 2;

/** The system whose columns the files have most of; null where no known one fits, or nothing is left to name. */
export function suggestionFor(
  files: readonly HeaderOf[],
  mapping: ImportMapping,
): Suggestion | null {
  const [best] = templates
    .map((template) => ({ template, found: columnsFound(template, files) }))
    .toSorted((a, b) => countOf(b.found) - countOf(a.found));
  if (!best || countOf(best.found) < fewest) return null;
  const open = withoutNamed(best.found, mapping);
  if (countOf(open) === 0) return null;
  const { system, statuses } = best.template;
  return { system, mapping: open, statuses };
}

/** Columns of a template that all files of their kind have. */
function columnsFound({ columns }: Template, files: readonly HeaderOf[]): ImportMapping {
  const found: ImportMapping = {};
  for (const kind of importKinds) {
    const headers = files.filter((file) => file.kind === kind).map(({ header }) => header);
    const has = (theirs: string): boolean =>
      headers.length > 0 && headers.every((header) => isIn(header, theirs));
    const own = Object.entries(columns[kind] ?? {}).filter(([, theirs]) => has(theirs));
    if (own.length > 0) found[kind] = Object.fromEntries(own);
  }
  return found;
}

function isIn(header: readonly string[], theirs: string): boolean {
  return header.some((name) => name.trim().toLowerCase() === theirs.toLowerCase());
}

function withoutNamed(found: ImportMapping, mapping: ImportMapping): ImportMapping {
  const open: ImportMapping = {};
  for (const kind of importKinds) {
    const named = mapping[kind] ?? {};
    const left = Object.entries(found[kind] ?? {}).filter(([ours]) => !Object.hasOwn(named, ours));
    if (left.length > 0) open[kind] = Object.fromEntries(left);
  }
  return open;
}

function countOf(mapping: ImportMapping): number {
  return Object.values(mapping).reduce((sum, columns) => sum + Object.keys(columns).length, 0);
}
