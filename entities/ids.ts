import { v7 } from 'uuid';

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new UUID v7: sorts by time of creation. */
export function newId(at?: Date): string {
  return at ? v7({ msecs: at.getTime() }) : v7();
}

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && uuidShape.test(text);
}

/** The creation time carried by a UUID v7, in milliseconds precision. */
export function uuidTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
