export const maxMetadataKeys = 20;
const maxMetadataKeyLength = 40;
const maxMetadataTextLength = 500;
const maxMetadataBytes = 8 * 1_024;

/** What the merchant attaches to a conversion: one level, given back as it came. */
export type ConversionMetadata = Record<string, string | number | boolean | null>;

/** One thing of what was sold, as the merchant tells it: shown, and not added up. */
export interface ConversionItem {
  product_id: string;
  price_id: string | null;
  /** Minor units of the conversion's currency. */
  amount_cents: number | null;
  quantity: number | null;
}

export function isConversionMetadata(value: unknown): value is ConversionMetadata {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = Object.entries(value);
  if (members.length > maxMetadataKeys) return false;
  const isGood = ([key, member]: [string, unknown]): boolean =>
    key.length >= 1 && key.length <= maxMetadataKeyLength && isPlain(member);
  if (!members.every(isGood)) return false;
  return new TextEncoder().encode(JSON.stringify(value)).length <= maxMetadataBytes;
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.length <= maxMetadataTextLength;
  return value === null || typeof value === 'boolean';
}
