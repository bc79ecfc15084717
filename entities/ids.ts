import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const bytesPerId = 16;
// Asking the system for 16 bytes at a time costs several times what the rest of an id does.
const pool = Buffer.alloc(256 * bytesPerId);
let used = pool.length;

let lastMs = 0;
let sequence = 0;

/** A new UUID v7: sorts by time of creation, within a process also those of one millisecond. */
export function newId(at?: Date): string {
  const random = randomBytes();
  if (at) return v7({ msecs: at.getTime(), random });

  const now = Date.now();
  // The sequence begins in the lower half of its range, so that it cannot run over.
  sequence = now > lastMs ? random.readUInt32BE() >>> 1 : sequence + 1;
  lastMs = Math.max(lastMs, now);
  return v7({ msecs: lastMs, seq: sequence, random });
}

function randomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.subarray(used, (used += bytesPerId));
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
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
