/** What a biller told, kept as a fact, with the buyer's ids replaced wherever they stand. */
export function factWithoutBuyer<Fact>(
  fact: Fact,
  replacements: ReadonlyMap<string, string>,
): Fact {
  return JSON.parse(JSON.stringify(fact), (_field, value: unknown) =>
    typeof value === 'string' ? (replacements.get(value) ?? value) : value,
  ) as Fact;
}

/** What is kept of a payment for its credit, as far as a buyer's id may stand in it. */
export interface KeptSignals {
  sale: { signals: { clickIds: string[]; metadataClickIds: string[] } } | null;
  /** `key` is the JSON of the lists of signals that were judged. */
  verdict: { key: string } | null;
}

/** The same without the buyer's ids: a reference that is no click is a customer's id of the shop's. */
export function signalsWithoutBuyer<Kept extends KeptSignals>(
  kept: Kept,
  replacements: ReadonlyMap<string, string>,
): Kept {
  const hashed = (ids: readonly string[]): string[] => ids.map((id) => replacements.get(id) ?? id);
  const { sale, verdict } = kept;
  return {
    ...kept,
    sale: sale && {
      ...sale,
      signals: {
        ...sale.signals,
        clickIds: hashed(sale.signals.clickIds),
        metadataClickIds: hashed(sale.signals.metadataClickIds),
      },
    },
    verdict: verdict && { ...verdict, key: keyWithout(verdict.key, hashed) },
  };
}

function keyWithout(key: string, hashed: (ids: readonly string[]) => string[]): string {
  const lists = JSON.parse(key) as string[][];
  return JSON.stringify(lists.map(hashed));
}
