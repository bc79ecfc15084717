import { cut } from '../values/cut';
import { isInstant } from '../values/instant';

/**
 * Reading JSON that others shape: a field of the wrong type is an absent field, so an odd
 * event is never an exception.
 */
export type Json = Record<string, unknown>;

const longestText = 1_000;
/** No id of Stripe's is longer; an index holds no more either. */
export const longestId = 255;
/** No sale is greater in minor units; sums of such amounts stay far from what a bigint holds. */
const greatestInteger = 1_000_000_000_000;

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at a path of keys, `{}` when there is none. */
export function objectAt(value: unknown, ...path: string[]): Json {
  const found = valueAt(value, ...path);
  return isJson(found) ? found : {};
}

export function valueAt(value: unknown, ...path: string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isJson(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** A text that can be stored: bounded, without NUL and lone surrogates; null when empty or absent. */
export function textAt(value: unknown, ...path: string[]): string | null {
  const found = valueAt(value, ...path);
  if (typeof found !== 'string') return null;
  const text = storable(cut(found, longestText)).trim();
  return text === '' ? null : text;
}

/** Postgres keeps neither NUL nor half a surrogate pair. */
export function storable(text: string): string {
  return text.replace(/\u0000/g, '').replace(loneSurrogates, '\ufffd');
}

const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function integerAt(value: unknown, ...path: string[]): number | null {
  const found = valueAt(value, ...path);
  if (typeof found !== 'number' || !Number.isSafeInteger(found)) return null;
  return Math.abs(found) <= greatestInteger ? found : null;
}

/** The same, 0 when it is absent. */
export function amountAt(value: unknown, ...path: string[]): number {
  return integerAt(value, ...path) ?? 0;
}

/** ISO 4217 in lower case; empty when it is absent. */
export function currencyOf(object: Json): string {
  return (textAt(object, 'currency') ?? '').toLowerCase();
}

/** The form of an ISO 4217 code in lower case: without one an amount is no money. */
export function isCurrencyCode(currency: string): boolean {
  return /^[a-z]{3}$/.test(currency);
}

/** The id of a reference, whether Stripe sent the bare id or the expanded object. */
export function idAt(value: unknown, ...path: string[]): string | null {
  const found = valueAt(value, ...path);
  const id = isJson(found) ? textAt(found, 'id') : textAt(value, ...path);
  return id !== null && id.length <= longestId ? id : null;
}

/** No biller nests its objects deeper; whoever walks an event may go to the end of each branch. */
const deepest = 64;

/** What lies above the depth of any biller's JSON; the value itself when nothing lies deeper. */
export function withinDepth(value: unknown): unknown {
  return isDeeper(value, deepest) ? cutBelow(value, deepest) : value;
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((item) => isDeeper(item, left - 1));
}

function cutBelow(value: unknown, left: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return null;
  if (Array.isArray(value)) return value.map((item) => cutBelow(item, left - 1));
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [field, cutBelow(item, left - 1)]),
  );
}

/** The first members of an array, or of Stripe's list object (`{object: "list", data: [...]}`). */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = valueAt(value, ...path);
  const members = Array.isArray(found) ? found : valueAt(found, 'data');
  // Stripe sends at most ten entries of a list inside an event, and a hundred in an answer.
  return Array.isArray(members) ? (members as unknown[]).slice(0, 100) : [];
}

/** A time that Stripe gives in whole seconds since 1970, as ISO text; null when it is none. */
export function instantAt(value: unknown, ...path: string[]): string | null {
  const seconds = integerAt(value, ...path);
  if (seconds === null || seconds < 0 || seconds > latestSecond) return null;
  return new Date(seconds * 1_000).toISOString();
}

/** 9999-12-31T23:59:59Z: later years have another ISO form, and no shop. */
const latestSecond = 253_402_300_799;

/** A whole number that a biller gives as a text of digits, or as a number; null when it is neither. */
export function digitsAt(value: unknown, ...path: string[]): number | null {
  const found = valueAt(value, ...path);
  if (typeof found === 'number') return integerAt(value, ...path);
  if (typeof found !== 'string' || !/^-?\d{1,15}$/.test(found)) return null;
  const number = Number(found);
  return Math.abs(number) <= greatestInteger ? number : null;
}

/** A time as RFC 3339 text, as ISO text with milliseconds; null when it is none. */
export function timeAt(value: unknown, ...path: string[]): string | null {
  const found = textAt(value, ...path);
  if (found === null || !/^\d{4}-\d\d-\d\dT/.test(found)) return null;
  const at = Date.parse(found);
  if (Number.isNaN(at)) return null;
  const iso = new Date(at).toISOString();
  // Postgres does not know years that have another ISO form.
  return isInstant(iso) ? iso : null;
}

/** The same with microseconds, so that two tellings of one millisecond keep their order. */
export function preciseTimeAt(value: unknown, ...path: string[]): string | null {
  const at = timeAt(value, ...path);
  if (at === null) return null;
  const fraction = /\.(\d+)/.exec(textAt(value, ...path) ?? '')?.[1] ?? '';
  return `${at.slice(0, -1)}${fraction.slice(3, 6).padEnd(3, '0')}Z`;
}

/** A short text that can be stored and found by: an id, a kind of event. */
export function shortTextAt(value: unknown, ...path: string[]): string | null {
  const found = valueAt(value, ...path);
  if (typeof found !== 'string' || found === '' || found.length > longestId) return null;
  return storable(found) === found ? found : null;
}
