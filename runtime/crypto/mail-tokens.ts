import { packId, unpackId } from './packed-ids';
import { sameText, type Vault } from './vault';

export type MailTokenPurpose = 'verify' | 'reset' | 'member_invite' | 'partner_invite' | 'claim';

/** What a mail token is bound to: when any of it changes, the token is dead. */
export interface MailTokenSubject {
  purpose: MailTokenPurpose;
  /** Id of the row that the token stands for (an email_tokens row, an invite). */
  id: string;
  /** Normalised address that it was sent to. */
  email: string;
  generation: number;
}

const tokenShape = /^[\w-]{65}$/;

/**
 * The token of a mail or invite link: the row's id and an HMAC over all that it is bound to, 65
 * characters of base64url. It can be made again for the same row, and is stored nowhere.
 */
export function deriveMailToken(vault: Pick<Vault, 'derive'>, subject: MailTokenSubject): string {
  const { purpose, id, email, generation } = subject;
  return `${packId(id)}${vault.derive(`mail:${purpose}`, id, email, generation)}`;
}

/** The row's id that a token claims; undefined for what cannot be a token. Proves nothing yet. */
export function mailTokenId(token: string): string | undefined {
  return tokenShape.test(token) ? unpackId(token) : undefined;
}

/** Whether a token is the one of this row, purpose, address and generation; constant time. */
export function isMailToken(
  vault: Pick<Vault, 'derive'>,
  token: string,
  subject: MailTokenSubject,
): boolean {
  return sameText(token, deriveMailToken(vault, subject));
}
