import type { Moves } from '../values/moves';

const erasureKinds = ['account', 'participant'] as const;
/** Whether a whole partner account is erased, or one participation. */
export type ErasureKind = (typeof erasureKinds)[number];

const recordKinds = ['invite', 'conversion', 'customer'] as const;
/** Rows that are erased singly, each by one transaction: invites, and conversions and names of a buyer. */
export type RecordKind = (typeof recordKinds)[number];

export const ledgerKinds = [...erasureKinds, ...recordKinds] as const;
/** What the ledger that is replayed on a restored backup names. */
export type LedgerKind = (typeof ledgerKinds)[number];

export const receiptKinds = [...erasureKinds, 'invites', 'customer'] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

/**
 * locked: the subject counts as erased, nothing is overwritten yet and all of it can be undone.
 * anonymised: the point of no return is passed. completed: every copy is clean.
 */
export type ErasureStatus = 'locked' | 'anonymised' | 'completed' | 'cancelled';

export const erasureTriggers = ['anonymise', 'complete', 'cancel'] as const;
export type ErasureTrigger = (typeof erasureTriggers)[number];

/** Every move there is. Past the point of no return nothing leads back. */
export const erasureMoves: Moves<ErasureStatus, ErasureTrigger> = {
  locked: { anonymise: ['anonymised'], cancel: ['cancelled'] },
  anonymised: { complete: ['completed'] },
  completed: {},
  cancelled: {},
};

/** What a person has to type. */
export const confirmationPhrase = 'DELETE';

/** What stands where personal data stood. The domain can never have a mailbox. */
export const erasedName = 'Erased partner';
export const erasedEmail = 'erased@erased.invalid';
export const erasedText = 'Erased';
export const erasedMemberName = 'Former member';
export const erasedUrl = 'https://erased.invalid/';
