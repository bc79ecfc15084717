/** An answer of PayPal's as far as it has the shape of its published description; all of it may be missing. */
export type Json = Record<string, unknown>;

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : {};
}

export function listOf(value: unknown): Json[] {
  if (Array.isArray(value)) return value.map(objectOf);
  return typeof value === 'object' && value !== null ? [value as Json] : [];
}

/** The text without what no database takes: zeros, and halves of characters. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.toWellFormed().replaceAll('\0', '\uFFFD');
}

export function readJson(body: string | null): Json | null {
  if (body === null) return null;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Json)
      : null;
  } catch {
    return null;
  }
}

/** A decimal text of PayPal's in minor units of the currency; null for what is none. */
export function minorUnits(value: unknown, digits: number): number | null {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  const parts = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text ?? '');
  if (!parts) return null;
  const fraction = (parts[2] ?? '').padEnd(digits, '0');
  if (/[1-9]/.test(fraction.slice(digits))) return null;
  return Number(`${parts[1]}${fraction.slice(0, digits)}`);
}
