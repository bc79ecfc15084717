/**
 * What a report or a mark has told of an item by a transaction: that it went out, that it did not, or
 * that it came back, and of which payment. Kept with the item, so that an older report, or the same
 * one again, tells nothing new.
 */
export interface ItemReport {
  kind: 'paid' | 'failed' | 'back';
  /** The transaction's id; '' where none was named. */
  id: string;
  /** The id of the payment that came back; '' where nobody knows. */
  of: string;
}

/** More than these of one item are no story of a payment. */
export const maxReportsOfItem = 50;

export function reportText({ kind, id, of }: ItemReport): string {
  return JSON.stringify([kind, id, of]);
}

export function readReport(text: string): ItemReport {
  const [kind, id, of] = JSON.parse(text) as [ItemReport['kind'], string, string];
  return { kind, id, of };
}

/** The same transaction says the same once, whatever it is found to be of. */
export function keyOfReport({ kind, id }: Pick<ItemReport, 'kind' | 'id'>): string {
  return `${kind} ${id}`;
}
