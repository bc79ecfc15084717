export const maxNameLength = 200;

/** Signs that have a width or none, and nothing to see: fillers, the empty Braille pattern. */
const seen = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** A flag of a region: a black flag, its letters as tags, and the tag that ends them. */
const regionFlags = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,10}\u{e007f}/gu;

/** Joiners, where they join: within an emoji, or between letters. */
const joined =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu;

/** What steers a text, or, kept, what looks like it and is part of a sign. */
const steering = new RegExp(
  `(${regionFlags.source}|${joined.source})|\\p{Cf}|(?![\\n\\t])\\p{Cc}`,
  'gu',
);

/**
 * Whether a text, already trimmed, is a name that people can tell from another: something in it can
 * be seen, and nothing turns, hides or breaks what stands beside it.
 */
export function isName(text: string): boolean {
  const plain = text.replace(regionFlags, '\u{1f3f4}').replace(joined, '');
  return seen.test(plain) && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(plain);
}

/** Letters that are read from the right: Hebrew, Arabic, and their like. */
const fromTheRight =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const isolate = { begins: '\u2068', ends: '\u2069' } as const;

/**
 * A name for a sentence: one that is read from the right stands in an isolate, or it would turn the words
 * and amounts beside it. Once is enough; other names stay as they are.
 */
export function isolated(name: string): string {
  if (!fromTheRight.test(name) || name.startsWith(isolate.begins)) return name;
  return isolate.begins + name + isolate.ends;
}

/**
 * Free text of a person, as it may stand beside words and amounts of ours: without controls and without
 * marks that turn text round or that nobody sees; what joins letters and emoji, tabs and line ends stay.
 */
export function withoutSteering(text: string): string {
  return text
    .replace(/\r\n?|[\v\f\u0085\p{Zl}\p{Zp}]/gu, '\n')
    .replace(steering, (_, kept: string | undefined) => kept ?? '');
}
