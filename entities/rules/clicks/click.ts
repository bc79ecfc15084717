import { cut } from '../values/cut';

/**
 * A repeat of the same visitor and link within this time is the same click
 * (docs/reference/clicks.md, Repeats).
 */
export const repeatWindowMs = 30 * 60_000;

/** Longer addresses are cut: they never cost the click. */
export const longestUserAgent = 512;

/**
 * A text from a browser as it can be stored: cut to `longest` UTF-16 units, without NUL and half
 * characters. Null for nothing.
 */
export function storableText(text: string | null | undefined, longest: number): string | null {
  if (!text) return null;

  return cut(text, longest).toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * Whether a click made at `clickedAt` still stands for another one of the same visitor and link.
 */
export function isRepeat(clickedAt: Date, now: Date): boolean {
  return now.getTime() - clickedAt.getTime() < repeatWindowMs;
}
