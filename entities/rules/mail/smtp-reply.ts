/** What an SMTP server answered to one command, with its enhanced status code (RFC 3463) where it gave one. */
export interface SmtpReply {
  /** 250, 421, 550 and so on; undefined: there was no answer. */
  code: number | undefined;
  text: string;
  /** Which command it answers, such as `RCPT TO`. */
  command: string | undefined;
}

/**
 * `no_such_recipient`: the address does not exist and is written to no more. `refused`: the server
 * will never take this mail. `try_again`: everything else.
 */
export type MailRefusal = 'no_such_recipient' | 'refused' | 'try_again';

/** Two of the codes 5.1.x, which are about the sender, which is us. */
const aboutSender = new Set(['5.1.7', '5.1.8']);

/**
 * Judges a refusal. Most 5xx are about us (no sign-in, a sender that is not allowed, no relaying, a
 * paused account): somebody mends them, and the mail is still wanted. Final are a recipient that does
 * not exist, and a message that is too large or that cannot be carried.
 */
export function judgeRefusal({ code, text, command }: SmtpReply): MailRefusal {
  if (code === undefined || code < 500 || code > 599) return 'try_again';
  const [enhanced = ''] = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(text) ?? [];
  if (command === 'RCPT TO' && isAboutRecipient(enhanced)) return 'no_such_recipient';
  if (command === 'DATA' && isAboutMessage(enhanced)) return 'refused';
  return 'try_again';
}

function isAboutRecipient(enhanced: string): boolean {
  if (aboutSender.has(enhanced)) return false;
  return enhanced.startsWith('5.1.') || enhanced === '5.2.1';
}

/** Whether the message is refused for what it is: too large, or a content that the server cannot carry. */
function isAboutMessage(enhanced: string): boolean {
  return enhanced === '5.3.4' || enhanced.startsWith('5.6.');
}
