/** The text of a discount's code as it was at a time. */
export interface DiscountText {
  /** ISO with microseconds: when it was told to be so. */
  at: string;
  /** Empty for a discount that is applied without a code. */
  code: string;
}

/** What the buyer typed: the newest text of until then, else the first that was told afterwards. */
export function textInForce<Text extends DiscountText>(
  texts: readonly Text[],
  at: string,
): Text | undefined {
  const sorted = [...texts].sort((one, other) => compare(one.at, other.at));
  return sorted.findLast((text) => text.at <= at) ?? sorted[0];
}

/** The texts of a discount with one more, by time. They are few: who uses a discount is no change of it. */
export function withText(texts: readonly DiscountText[], told: DiscountText): DiscountText[] {
  const others = texts.filter(({ at }) => at !== told.at);
  return [...others, told].sort((one, other) => compare(one.at, other.at));
}

/** The times of the sales that a text told of `at` may be of: from when on, and until which next text. */
export function rangeOf(
  texts: readonly DiscountText[],
  at: string,
): { from: string | null; until: string | null } {
  return {
    from: texts.some((text) => text.at < at) ? at : null,
    until: texts.find((text) => text.at > at)?.at ?? null,
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
