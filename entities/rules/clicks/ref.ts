import { withoutUnseenEnds } from '../values/identifier';

/**
 * What a `?ref=` may have been meant to say, the likeliest first: itself, then up to the first
 * character that no token has, then without the marks with which a sentence ends. Links are pasted
 * with `/`, `)`, `.`, `#x` or `&amp;utm_source=x` behind them.
 */
export function readingsOf(ref: string): string[] {
  const asIs = withoutUnseenEnds(ref);
  const [cut = ''] = /^[\w.~-]*/.exec(asIs) ?? [];
  let end = cut.length;
  while (end > 0 && '._~-'.includes(cut.charAt(end - 1))) end -= 1;
  return [...new Set([asIs, cut, cut.slice(0, end)])].filter((reading) => reading !== '');
}
