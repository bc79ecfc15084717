/** Why a row is left out, and nothing of it is booked. */
export const importProblems = [
  'EMAIL_INVALID',
  'TOKEN_INVALID',
  'TOKEN_TAKEN',
  'CODE_INVALID',
  'CODE_TAKEN',
  'PARTNER_UNKNOWN',
  'PARTNER_ERASED',
  'CUSTOMER_TAKEN',
  'MONEY_INVALID',
  'CURRENCY_UNKNOWN',
  'UNIT_NOT_MONEY',
  'STATUS_UNKNOWN',
  'SALE_KNOWN',
  'DUPLICATE_ID',
  'CONFLICT',
  'FIELD_INVALID',
  'GROUP_AMBIGUOUS',
] as const;
export type ImportProblem = (typeof importProblems)[number];

/** The problems in words, without addresses and cells; a message that names more is made where it is found. */
export const problemMessages: Readonly<Record<ImportProblem, string>> = {
  EMAIL_INVALID: 'The e-mail address is none.',
  TOKEN_INVALID: 'A token has 1 to 100 characters, none of them a control character.',
  TOKEN_TAKEN: 'The token leads to another partner here.',
  CODE_INVALID: 'A code has 3 to 40 of A-Z, 0-9, - and _.',
  CODE_TAKEN: 'The code is another partner’s here.',
  PARTNER_UNKNOWN: 'No partner of that id is imported.',
  PARTNER_ERASED: 'The partner’s data was erased here: they do not come back by an import.',
  CUSTOMER_TAKEN: 'The customer, or one of their ids, is another partner’s here.',
  MONEY_INVALID:
    'A sum is digits, with a dot before at most as many decimals as its currency has, and at most 10^12 minor units.',
  CURRENCY_UNKNOWN: 'The currency is no code of ISO 4217.',
  UNIT_NOT_MONEY: 'The reward is no sum of money.',
  STATUS_UNKNOWN: 'The status has no counterpart: give it one in statuses.',
  SALE_KNOWN: 'The sale has its commission here already.',
  DUPLICATE_ID: 'An earlier row has this id.',
  CONFLICT: 'It was decided or paid here meanwhile: it stays as it is.',
  FIELD_INVALID: 'A field cannot be read.',
  GROUP_AMBIGUOUS: 'The partner is in several campaigns: they join the one with most open money.',
};

/** What was passed over of a row that is booked all the same. */
export interface RowWarning {
  field: string;
  message: string;
}

/** A row that cannot be booked. */
export interface RowProblem {
  code: ImportProblem;
  message: string;
}

export function problemOf(code: ImportProblem, message?: string): RowProblem {
  return { code, message: message ?? problemMessages[code] };
}

/** A field that cannot be read. */
export function invalidField(field: string, rule: string): RowProblem {
  return { code: 'FIELD_INVALID', message: `${field} ${rule}` };
}
