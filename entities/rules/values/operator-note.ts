/**
 * Why an operator acts in Temporal Web. A code and no text: what an update takes stays in the
 * workflow's history, where no erasure reaches it. A text goes through the API.
 */
export const operatorReasons = [
  'MERCHANT_REQUEST',
  'PARTNER_REQUEST',
  'ORDER_CONFIRMED',
  'ORDER_CANCELLED',
  'TEST_ORDER',
  'DUPLICATE',
  'FRAUD',
  'TERMS_VIOLATION',
  'RECEIVER_FIXED',
  'RECEIVER_BROKEN',
  'SYSTEM_FAULT',
] as const;
export type OperatorReason = (typeof operatorReasons)[number];

/** What each update takes; both stand in the audit log. */
export interface OperatorNote {
  /** Who acts, as the operator's own directory names them: an opaque id, never an address. */
  operator: string;
  reasonCode: OperatorReason;
}

const opaqueId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** What is wrong with the note of an update; undefined for a good one. */
export function noteProblem(note: unknown): string | undefined {
  const given = note as Partial<OperatorNote> | null | undefined;
  if (typeof given !== 'object' || given === null) {
    return 'Give an object such as {"operator": "op-17", "reasonCode": "MERCHANT_REQUEST"}.';
  }
  const { operator, reasonCode, ...more } = given;
  if (Object.keys(more).length > 0) {
    return 'Give operator and reasonCode, nothing else. Texts go through the API.';
  }
  if (!operatorReasons.some((code) => code === reasonCode)) {
    return `Give a reasonCode of ${operatorReasons.join(', ')}.`;
  }
  if (typeof operator === 'string' && opaqueId.test(operator)) return undefined;
  return 'Give operator: who you are, an opaque id of 1 to 64 letters, digits, - and _.';
}
