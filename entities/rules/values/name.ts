export const maxNameLength = 200;

/** Signs that have a width or none, and nothing to see: fillers, the empty Braille pattern. */
const seen = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** A flag of a region: a black flag, its letters as tags, and the tag that ends them. */
const regionFlags = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,10}\u{e007f}/gu;

/** Joiners, where they join: within an emoji, or between letters. */
const joined =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu;

/**
 * Whether a text, already trimmed, is a name that people can tell from another: something in it can
 * be seen, and nothing turns, hides or breaks what stands beside it.
 */
export function isName(text: string): boolean {
  const plain = text.replace(regionFlags, '\u{1f3f4}').replace(joined, '');
  return seen.test(plain) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(plain);
}
