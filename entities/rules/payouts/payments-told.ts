import type { ItemReport } from './item-reports';
import type { ResultItem } from './judged-results';
import type { Result } from './result-row';

/** A row that tells something new of its item. */
export type News = Result & { kind: 'paid' | 'failed' | 'denied' | 'back' };

export interface ToldOf {
  item: ResultItem;
  /** What was told before. */
  known: readonly ItemReport[];
  news: readonly News[];
  /** A row of this report, or an older one, says that money of this item came back. */
  hasKnownReturn: boolean;
}

/** What rows tell of the payments of one item, whatever their order. */
export interface Payments {
  /** The payment that stands now; '' for one that nobody has named, null where none stands. */
  standing: string | null;
  /** The row that names it, where it had no name. */
  names: News | undefined;
  /** The row by which it came back. */
  standingBack: News | undefined;
  /** Payments that are new, with the row by which they came back: those that did are first. */
  others: { paid: News; back: News | undefined }[];
  /** Money that came back, or did not go, of a payment of which no row says that it went. */
  lost: News[];
  /** Rows that say in other words what is known. */
  old: News[];
  /** Rows of which nobody can say what payment they tell of. */
  unclear: { row: News; why: 'which' | 'again' }[];
}

/** Tells the rows apart by the payment that they are of. */
export function paymentsTold(told: ToldOf): Payments {
  const { item, known, news } = told;
  const all = news.filter(({ kind }) => kind === 'paid');
  // A row without a transaction is of one that another row names.
  const named = all.filter(({ id }) => id !== '');
  const paid = named.length > 0 ? named : all;
  const before = paymentsBefore(item, known);
  const isPaid = (id: string): boolean => before.paid.has(id) || paid.some((row) => row.id === id);
  const { backs, unlinked, failed } = backsOf(news, isPaid, before.standing !== null);
  const result: Payments = {
    standing: before.standing,
    names: undefined,
    standingBack: undefined,
    others: [],
    lost: failed,
    old: all.filter((row) => !paid.includes(row)),
    unclear: [],
  };
  nameStanding(result, { paid, backs, isUnnamed: before.standing === '' });
  const past = pastOf(result, { ...told, paid, backs, unlinked, before });
  const rest = paid.filter((row) => row !== result.names && row !== past);
  // A payment is over when a report told before that it was denied, or came back, and only then that it went.
  const isOver = ({ id }: News): boolean =>
    id !== '' &&
    (before.gone.has(id) || known.some((one) => one.kind === 'failed' && one.id === id));
  result.old.push(...rest.filter(isOver));
  const open = rest.filter((row) => !isOver(row));
  linkRest(result, { unlinked, backs, open, before });
  placeBacks(result, backs, open);
  if (before.isUnnamedGone && !past) askAgain(result, item);
  return result;
}

interface Before {
  paid: Set<string>;
  gone: Set<string>;
  standing: string | null;
  /** It came back, and nobody has told of which payment. */
  isUnnamedGone: boolean;
  /** Each payment that came back has a row of its own for it. */
  areReturnsTold: boolean;
}

function paymentsBefore(item: ResultItem, known: readonly ItemReport[]): Before {
  const paid = new Set(known.filter(({ kind }) => kind === 'paid').map(({ id }) => id));
  // The payment without a name has got one since then.
  if (paid.size > 1) paid.delete('');
  const backs = known.filter(({ kind }) => kind === 'back');
  const gone = new Set(backs.map(({ of }) => of));
  const areReturnsTold = [...gone].every((of) =>
    backs.some((back) => back.of === of && back.id !== of),
  );
  const isUnnamedGone =
    (item.status === 'returned' && paid.size === 0) || (item.status === 'failed' && gone.has(''));
  const told = { paid, gone, isUnnamedGone, areReturnsTold };
  if (item.status !== 'paid') return { ...told, standing: null };
  const left = [...paid].filter((id) => !gone.has(id));
  const standing = left.at(-1) ?? item.transactionId ?? '';
  if (standing !== '') paid.add(standing);
  gone.delete(standing);
  return { ...told, standing };
}

/** The rows of money that came back, by the payment; the first row of each counts, and others are its echo. */
type Backs = Map<string, News[]>;

interface SortedNews {
  backs: Backs;
  /** Money that came back, and nobody says of which payment. */
  unlinked: News[];
  failed: News[];
}

/** What is denied after a payment took it back; before one it was a try that failed. */
function backsOf(
  news: readonly News[],
  isPaid: (id: string) => boolean,
  wasPaid: boolean,
): SortedNews {
  const sorted: SortedNews = { backs: new Map(), unlinked: [], failed: [] };
  let isPaidByThen = wasPaid && !news.some(({ kind }) => kind === 'paid');
  for (const row of news) {
    if (row.kind === 'paid') isPaidByThen = true;
    else sortBack(sorted, row, { isPaid, isPaidByThen });
  }
  return sorted;
}

function sortBack(
  { backs, unlinked, failed }: SortedNews,
  row: News,
  { isPaid, isPaidByThen }: { isPaid: (id: string) => boolean; isPaidByThen: boolean },
): void {
  const of = row.of || (isPaid(row.id) ? row.id : '');
  const isTry = row.kind === 'failed' || (row.kind === 'denied' && of === '' && !isPaidByThen);
  if (isTry) failed.push(row);
  else if (of === '') unlinked.push(row);
  else addTo(backs, of, row);
}

function addTo(backs: Backs, of: string, row: News): void {
  backs.set(of, [...(backs.get(of) ?? []), row]);
}

interface Naming {
  paid: readonly News[];
  backs: Backs;
  isUnnamed: boolean;
}

/** Who was paid without a transaction is the first payment that is told, one that stands if there is. */
function nameStanding(result: Payments, { paid, backs, isUnnamed }: Naming): void {
  if (!isUnnamed) return;
  result.names = paid.find(({ id }) => !backs.has(id)) ?? paid[0];
  result.standing = result.names?.id ?? [...backs.keys()][0] ?? '';
}

interface Rest extends ToldOf {
  paid: readonly News[];
  backs: Backs;
  unlinked: News[];
  before: Before;
}

/** The payment of an item that came back before anybody named it, with what tells of its return. */
function pastOf(result: Payments, rest: Rest): News | undefined {
  const { backs, unlinked, before, hasKnownReturn } = rest;
  if (!before.isUnnamedGone) return undefined;
  const past = namedPast(rest);
  if (past) {
    result.old.push(past, ...(backs.get(past.id) ?? []));
    backs.delete(past.id);
  }
  // A return without its payment is no news either where what came back is known; one of them is this payment's.
  if (!hasKnownReturn || !past) result.old.push(...unlinked.splice(0, 1));
  return past;
}

function namedPast({ paid, backs, unlinked, hasKnownReturn }: Rest): News | undefined {
  const known = paid.find(({ id }) => backs.has(id));
  return known ?? (unlinked.length > 0 || hasKnownReturn ? paid[0] : undefined);
}

interface Linking {
  unlinked: readonly News[];
  backs: Backs;
  open: readonly News[];
  before: Before;
}

/** Returns that name no payment are of the one that is left, if that is certain. */
function linkRest(result: Payments, linking: Linking): void {
  const { unlinked, backs } = linking;
  const { all, left } = candidatesOf(result, linking);
  const isEach = left.length === unlinked.length && backs.size === 0;
  const isCertain = all.size === 1 || (isEach && linking.before.areReturnsTold);
  for (const row of unlinked) {
    const [next] = left;
    if (all.size === 0) result.lost.push(row);
    else if (next === undefined) result.old.push(row);
    else if (!isCertain) result.unclear.push({ row, why: 'which' });
    else addTo(backs, next, row);
    if (isCertain) left.shift();
  }
}

/** All payments that are known, and those of which nothing is known to have come back. */
function candidatesOf({ standing }: Payments, { backs, open, before }: Linking) {
  const told = [...before.paid, ...backs.keys(), ...open.map(({ id }) => id)];
  const all = new Set(standing === null ? told : [...told, standing]);
  const left = [...all].filter((id) => !before.gone.has(id) && !backs.has(id));
  return { all, left };
}

function placeBacks(result: Payments, backs: Backs, open: readonly News[]): void {
  const others = open.map((paid) => ({ paid, back: backs.get(paid.id)?.[0] }));
  result.others = [...others.filter(({ back }) => back), ...others.filter(({ back }) => !back)];
  for (const [of, [first, ...echoes]] of backs) {
    result.old.push(...echoes);
    if (!first || others.some(({ back }) => back === first)) continue;
    if (of === result.standing) result.standingBack = first;
    else result.lost.push(first);
  }
}

/** Nobody knows whether it is the payment that came back, or another one. */
function askAgain(result: Payments, { transactionId }: ResultItem): void {
  for (const { paid, back } of result.others.splice(0)) {
    if (back) result.old.push(paid, back);
    else if (paid.id !== '' && paid.id === transactionId) result.old.push(paid);
    else result.unclear.push({ row: paid, why: 'again' });
  }
}
