import { ofAccount } from './copies-of-account';
import { ofParticipant } from './copies-of-participant';
import type { Copy } from './treatments';

export type { Copy, Treatment } from './treatments';

/** Every place of personal data of partners that is found by an id or an address. */
export const copies: readonly Copy[] = [
  ...ofParticipant.map((copy) => ({ ...copy, of: 'participant' as const })),
  ...ofAccount.map((copy) => ({ ...copy, of: 'account' as const })),
];
