import { randomUUID } from 'node:crypto';

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const largestSequence = 0xff_ff_ff;
let lastMs = 0;
let sequence = 0;

/**
 * A new UUID v7: sorts by time of creation, within a process also those of one millisecond. One of
 * another time looks like all others. Random digits are those of a UUID v4, which Node makes many of
 * at a time.
 */
export function newId(at?: Date): string {
  const random = randomUUID();
  // Six digits, from the lower half of their range on; where they end, the next millisecond begins.
  const first = Number.parseInt(random.slice(0, 6), 16) >>> 1;
  if (at) return idOf({ ms: at.getTime(), order: first, random });

  const now = Date.now();
  const isNext = now > lastMs || sequence === largestSequence;
  sequence = isNext ? first : sequence + 1;
  if (isNext) lastMs = Math.max(lastMs + 1, now);
  return idOf({ ms: lastMs, order: sequence, random });
}

function idOf({ ms, order, random }: { ms: number; order: number; random: string }): string {
  const digits = order.toString(16).padStart(6, '0');
  return `${timeDigits(ms)}-7${digits.slice(0, 3)}-8${digits.slice(3)}-${random.slice(24)}`;
}

function timeDigits(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && uuidShape.test(text);
}

/** The creation time carried by a UUID v7, in milliseconds precision. */
export function uuidTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/**
 * The lowest id that a row created then can have: created_at is the time inside the id, so a range of
 * time is a range of ids and every index that ends in the id serves it.
 */
export function firstIdAt(at: Date): string {
  const latest = 2 ** 48 - 1;
  const ms = Math.min(Math.max(0, at.getTime()), latest);
  return `${timeDigits(ms)}-0000-0000-000000000000`;
}
