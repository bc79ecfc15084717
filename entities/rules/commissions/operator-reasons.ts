/**
 * Why an operator decides in Temporal Web. A code and no text: what an update takes stays in the
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
  'SYSTEM_FAULT',
] as const;
export type OperatorReason = (typeof operatorReasons)[number];

export interface OperatorNote {
  /** Who decides, as the operator's own directory names them: an opaque id, never an address. */
  operator?: string;
  reasonCode: OperatorReason;
}

const opaqueId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** What is wrong with the note of an update; undefined for a good one. */
export function noteProblem(note: unknown): string | undefined {
  const given = note as Partial<OperatorNote> | null | undefined;
  if (typeof given !== 'object' || given === null) {
    return 'Give an object with a reasonCode, such as {"reasonCode": "MERCHANT_REQUEST"}.';
  }
  const unknown = Object.keys(given).some((name) => name !== 'operator' && name !== 'reasonCode');
  if (unknown)
    return 'Give reasonCode and, if you like, operator; nothing else. Texts go through the API.';
  if (!operatorReasons.some((code) => code === given.reasonCode)) {
    return `Give a reasonCode of ${operatorReasons.join(', ')}.`;
  }
  return operatorProblem(given.operator);
}

/** The same for updates that need no reason. */
export function optionalNoteProblem(note: unknown): string | undefined {
  return note === undefined || note === null ? undefined : noteProblem(note);
}

function operatorProblem(operator: unknown): string | undefined {
  if (operator === undefined) return undefined;
  if (typeof operator === 'string' && opaqueId.test(operator)) return undefined;
  return 'operator is an opaque id of 1 to 64 letters, digits, - and _.';
}
