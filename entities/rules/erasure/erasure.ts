export const erasureKinds = ['account', 'participant'] as const;
/** Of a whole partner account, or of one participation. */
export type ErasureKind = (typeof erasureKinds)[number];

export const receiptKinds = [...erasureKinds, 'invites'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

/**
 * locked: the subject counts as erased, nothing is overwritten yet and all of it can be undone.
 * anonymised: the point of no return is passed. completed: every copy is clean.
 */
export type ErasureStatus = 'locked' | 'anonymised' | 'completed' | 'cancelled';

/** What a person has to type. */
export const confirmationPhrase = 'DELETE';

/** What stands where personal data stood. The domain can never have a mailbox. */
export const erasedName = 'Erased partner';
export const erasedEmail = 'erased@erased.invalid';
export const erasedText = 'Erased';
export const erasedUrl = 'https://erased.invalid/';
