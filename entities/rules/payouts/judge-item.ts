import {
  keyOfReport,
  maxReportsOfItem,
  readReport,
  reportText,
  type ItemReport,
} from './item-reports';
import type { ResultChange, ResultItem } from './judged-results';
import { paymentsTold, type News, type Payments } from './payments-told';
import type { Result, ResultProblem } from './result-row';
import type { PayoutItemStatus, ReportedStatus } from './status';

export interface JudgedItem {
  changes: ResultChange[];
  /** What is known from now on, as it is kept. */
  reports: string[];
  unchanged: number;
  problems: ResultProblem[];
}

/** One item's story under way. */
interface Story extends JudgedItem {
  item: ResultItem;
  status: PayoutItemStatus;
  /** The payment that stands, while it is paid. */
  standing: string | null;
}

/** No story of one item in one report is longer. */
const maxChanges = 8;

/** Rows of one item: more than anybody's report has. */
const maxRowsOfItem = 500;

/** What the rows of one item come to, with all that was told of it before. */
export function judgeItem(item: ResultItem, rows: readonly Result[], way: 1 | -1): JudgedItem {
  const known = knownOf(item);
  const isLong = rows.length > maxRowsOfItem;
  const ordered = isLong ? [] : rows.toSorted((a, b) => way * (a.line - b.line));
  const news = newsOf(ordered, known);
  const repeats = rows.length - news.length;
  const story: Story = {
    ...{ item, status: item.status, standing: null },
    ...{ changes: [], reports: [], unchanged: repeats, problems: [] },
  };
  if (isLong || known.length + news.length > maxReportsOfItem) {
    for (const row of rows) refuse(story, row, tooMany);
    return { ...story, unchanged: 0 };
  }
  const hasKnownReturn =
    known.some(({ kind }) => kind === 'back') && rows.some(({ kind }) => kind === 'back');
  tell(story, paymentsTold({ item, known, news, hasKnownReturn }));
  return story;
}

/** The reports that are known of an item, with the transaction that a mark named. */
function knownOf({ status, transactionId, reports }: ResultItem): ItemReport[] {
  const known = reports.map(readReport);
  const isNamed = status !== 'paid' || known.some(({ id }) => id === transactionId);
  return isNamed || transactionId === null
    ? known
    : [...known, { kind: 'paid', id: transactionId, of: '' }];
}

function newsOf(rows: readonly Result[], known: readonly ItemReport[]): News[] {
  const seen = new Set(known.map(keyOfReport));
  return rows.filter((row): row is News => {
    if (row.kind === 'open') return false;
    const keys = keptKinds[row.kind].map((kind) => keyOfReport({ kind, id: row.id }));
    const isNew = !keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    return isNew;
  });
}

/** The kinds of report as which a row may be kept. */
const keptKinds: Readonly<Record<News['kind'], readonly ItemReport['kind'][]>> = {
  paid: ['paid'],
  failed: ['failed'],
  denied: ['failed', 'back'],
  back: ['back'],
};

function reportOf({ kind, id, of }: News, payment: string | null): ItemReport {
  if (kind === 'paid') return { kind, id, of: '' };
  const isBack = kind === 'back' || (kind === 'denied' && payment !== null);
  return isBack ? { kind: 'back', id, of: of || (payment ?? '') } : { kind: 'failed', id, of: '' };
}

function tell(story: Story, told: Payments): void {
  const { names, standingBack } = told;
  story.standing = told.standing;
  if (names) name(story, names, standingBack !== undefined);
  if (standingBack) move(story, standingBack, 'returned');
  for (const { paid, back } of told.others) tellPayment(story, paid, back);
  for (const row of told.lost) tellLost(story, row);
  for (const row of told.old) keep(story, row);
  for (const { row, why } of told.unclear) refuse(story, row, unclear[why]);
}

/** The first transaction of an item that is paid. */
function name(story: Story, row: News, isGone: boolean): void {
  if (story.item.transactionId !== null || isGone) return keep(story, row);
  change(story, row, 'paid');
}

function tellPayment(story: Story, paid: News, back: News | undefined): void {
  if (story.status === 'paid' && back) {
    keep(story, paid);
    return keep(story, back, paid.id);
  }
  if (story.status === 'paid' && story.standing === '') {
    story.standing = paid.id;
    return change(story, paid, 'paid');
  }
  if (story.status === 'paid') return refuse(story, paid, paidBefore);
  if (story.status === 'returned' && paid.id === '') return refuse(story, paid, unclear.again);
  if (!move(story, paid, 'paid')) return;
  story.standing = paid.id;
  if (back) move(story, back, 'returned');
}

/** It did not go, or came back before it counted as paid; of what is paid it is an earlier try. */
function tellLost(story: Story, row: News): void {
  const { item, status } = story;
  if (row.isOwn && row.kind === 'failed' && status === 'paid') {
    return refuse(story, row, refusal('paid', 'failed'));
  }
  if (row.isOwn && row.kind === 'back' && item.status === 'ready' && status === 'ready') {
    return refuse(story, row, refusal('ready', 'returned'));
  }
  if (status === 'ready') move(story, row, 'failed');
  else keep(story, row, null);
}

/** False for what is too much of a story. */
function move(story: Story, row: News, to: ReportedStatus): boolean {
  if (story.changes.length >= maxChanges) {
    refuse(story, row, tooMany);
    return false;
  }
  change(story, row, to);
  story.status = to;
  return true;
}

function change(story: Story, row: News, to: ReportedStatus): void {
  const { item, status: from, standing } = story;
  const { line, reason } = row;
  story.changes.push({ line, itemId: item.id, from, to, transactionId: row.id || null, reason });
  story.reports.push(reportText(reportOf(row, to === 'failed' ? null : standing)));
}

/** Keeps a row that says what is known in other words: it is no change, and no news when it is told again. */
function keep(story: Story, row: News, payment: string | null = story.standing): void {
  story.unchanged += 1;
  story.reports.push(reportText(reportOf(row, payment)));
}

function refuse(story: Story, { line }: Result, message: string): void {
  story.problems.push({ line, message });
}

const refusal = (from: PayoutItemStatus, to: ReportedStatus): string =>
  `An item that is ${from} cannot become ${to} by this.`;

const paidBefore = 'It was reported as paid before, by another transaction or by none.';

const tooMany = 'Too many rows tell of this item: look at it by hand.';

const unclear = {
  which: 'Several payments of this item are known, and it does not say which of them came back.',
  again:
    'The payment came back. If it was paid again, name the transaction, or mark the item by hand.',
};
