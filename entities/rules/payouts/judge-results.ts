import { itemFinder } from './find-item';
import { judgeItem } from './judge-item';
import { readReport } from './item-reports';
import { isNewestFirst } from './newest-first';
import type { JudgedResults, ResultItem } from './judged-results';
import type { ReadRow, Result } from './result-row';

/**
 * What the rows of a report change. Of each item they are taken together, with all that was reported
 * before: the order of the rows, and of reports, decides nothing, and the same rows again change
 * nothing. It goes in small steps, for whoever lets others have their turn.
 */
export function* judgeInSteps(
  items: readonly ResultItem[],
  rows: readonly ReadRow[],
): Generator<void, JudgedResults> {
  const judged: JudgedResults = { changes: [], notes: [], unchanged: 0, skipped: 0, problems: [] };
  const way = isNewestFirst(rows) ? -1 : 1;
  const rowsOf = yield* byItem(items, rows, judged);
  for (const [item, own] of rowsOf) {
    const { changes, reports, unchanged, problems } = judgeItem(item, own, way);
    judged.changes.push(...changes);
    judged.problems.push(...problems);
    judged.unchanged += unchanged;
    if (reports.length > 0) judged.notes.push({ itemId: item.id, status: item.status, reports });
    yield;
  }
  judged.problems.sort((a, b) => a.line - b.line);
  return judged;
}

/** The rows of each item; what belongs to none is told. Returns of money may name what other rows tell. */
function* byItem(
  items: readonly ResultItem[],
  rows: readonly ReadRow[],
  judged: JudgedResults,
): Generator<void, Map<ResultItem, Result[]>> {
  const finder = itemFinder(items, (item) => item.reports.map(readReport));
  const rowsOf = new Map<ResultItem, Result[]>();
  const put = (row: Result): void => {
    const item = finder.find(row);
    if ('message' in item) judged.problems.push({ line: row.line, ...item });
    // Its provider tells what becomes of it.
    else if (item.status === 'sending') judged.skipped += 1;
    // Nothing that a person has to look at first is freed by a report.
    else if (item.wantsLook && row.kind !== 'paid') judged.skipped += 1;
    else if (rowsOf.has(item)) rowsOf.get(item)?.push(row);
    else rowsOf.set(item, [row]);
  };
  const later: Result[] = [];
  for (const row of rows) {
    if ('isSkipped' in row) judged.skipped += 1;
    else if ('message' in row) judged.problems.push(row);
    else if (row.kind === 'back' && row.reference === null) later.push(row);
    else put(row);
    yield;
  }
  for (const row of later) {
    put(row);
    yield;
  }
  return rowsOf;
}
