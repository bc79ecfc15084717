import { dayMs } from '../values/duration';

const shape = /^[a-z][a-z0-9_+-]*(?:\/[a-z0-9_+-]+)*$/i;

/** Zones of IANA with three letters; the runtime knows others, such as PST, which are none. */
const shortNames = new Set(
  'CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'
    .split(' ')
    .map((name) => name.toLowerCase()),
);

/** True for the name of an IANA time zone, links such as Asia/Calcutta included; no offsets. */
export function isZone(value: unknown): value is string {
  if (typeof value !== 'string' || !shape.test(value)) return false;
  const name = value.toLowerCase();
  if (name.startsWith('systemv/') || (name.length === 3 && !shortNames.has(name))) return false;
  try {
    formatOf(value);
    return true;
  } catch {
    return false;
  }
}

/** No zone is further from UTC than this. */
const furthestMs = 27 * 3_600_000;

// No row has another time, and neither Postgres nor the calendar of Intl knows the years beyond.
const earliest = Date.parse('0001-01-03T00:00:00Z');
const latest = Date.parse('9999-12-29T00:00:00Z');

/** The moments at which these local days begin, `YYYY-MM-DD` as days since 1970. */
export function startsOfDays(zone: string, days: readonly number[]): Date[] {
  const format = formatOf(zone);
  const known = new Map<number, number>();
  const offsetAt = (at: number): number => {
    const offset = known.get(at) ?? offsetMs(format, at);
    known.set(at, offset);
    return offset;
  };
  return days.map((day) => new Date(startOfDay(day * dayMs, offsetAt)));
}

/**
 * The first moment whose local time is midnight or later. Most days are a day away from any change
 * of the clock; around one, midnight may come twice or never, and is searched for.
 */
function startOfDay(midnight: number, offsetAt: (at: number) => number): number {
  if (midnight < earliest) return earliest;
  if (midnight > latest) return latest;
  const before = offsetAt(midnight - dayMs);
  if (before === offsetAt(midnight + dayMs)) return midnight - before;

  let early = midnight - furthestMs;
  let late = midnight + furthestMs;
  while (late - early > 1_000) {
    const middle = Math.floor((early + late) / 2_000) * 1_000;
    if (middle + offsetAt(middle) >= midnight) late = middle;
    else early = middle;
  }
  return late;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one costs more than all that is then asked of it; the number of zones is bounded. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone.toLowerCase());
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone.toLowerCase(), format);
  return format;
}

function offsetMs(format: Intl.DateTimeFormat, at: number): number {
  const match = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(format.format(at));
  if (!match?.[1]) return 0;
  const [hours, minutes, seconds] = [match[2], match[3], match[4] ?? '0'].map(Number) as [
    number,
    number,
    number,
  ];
  const size = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  return match[1] === '-' ? -size : size;
}
