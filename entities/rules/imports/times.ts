import { isDay, isInstant } from '../values/instant';

/** `2026-01-31 09:30:00`, with or without an offset: what spreadsheets and databases write. */
const spaced =
  /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

/** A moment as files write it, of UTC where it names no zone; undefined for what is none. */
export function momentOf(text: string): Date | undefined {
  const trimmed = text.trim();
  if (isDay(trimmed)) return new Date(`${trimmed}T00:00:00.000Z`);
  const match = spaced.exec(trimmed);
  if (!match) return undefined;
  const [, day, time, zone = 'Z'] = match;
  const iso = `${day}T${time}${/^utc$/i.test(zone) ? 'Z' : zone}`;
  return isInstant(iso) ? new Date(iso) : undefined;
}
