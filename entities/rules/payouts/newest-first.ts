/** Something with a day and a time, as a report writes them. */
interface Dated {
  at: string;
}

type Order = readonly [year: number, month: number, day: number];

/** The rows that are read at each end: enough to see which way the days go. */
const looked = 500;

/** Orders of three numbers between slashes or dots: the day first, or the month. */
const orders: readonly Order[] = [
  [2, 1, 0],
  [2, 0, 1],
];

/**
 * Whether the days of a report's rows say that the newest stands first. Days are read as they are
 * written most consistently; rows without are passed over.
 */
export function isNewestFirst(rows: readonly (Dated | object)[]): boolean {
  const some =
    rows.length <= 2 * looked ? rows : [...rows.slice(0, looked), ...rows.slice(-looked)];
  const dates = some.flatMap((row) => ('at' in row && row.at !== '' ? [row.at] : []));
  const [ways] = orders
    .map((order) => waysOf(dates.map((date) => keyOf(date, order))))
    .sort((a, b) => Math.min(a.up, a.down) - Math.min(b.up, b.down));
  return ways !== undefined && ways.down > ways.up;
}

/** How often a date follows a smaller one, and a larger one. */
function waysOf(keys: readonly (string | undefined)[]): { up: number; down: number } {
  const ways = { up: 0, down: 0 };
  for (const [at, key] of keys.slice(1).entries()) {
    const before = keys[at];
    // What is no date in this way of reading speaks against it.
    if (key === undefined || before === undefined) ways.up += 1;
    if (key === undefined || before === undefined || key < before) ways.down += 1;
    else if (key > before) ways.up += 1;
  }
  return ways;
}

/** Sorts as the moments do; undefined for what is no date. */
function keyOf(at: string, order: Order): string | undefined {
  const [date = '', time = ''] = at.split(' ');
  const iso = /^(\d{4})-(\d\d)-(\d\d)/.exec(date);
  if (iso) return `${iso.slice(1).join('')} ${time}`;
  const parts = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(date)?.slice(1);
  const [year, month = '', day = ''] = order.map((place) => parts?.[place]);
  if (!year || Number(month) > 12) return undefined;
  return `${year}${month.padStart(2, '0')}${day.padStart(2, '0')} ${time.padStart(8, '0')}`;
}
