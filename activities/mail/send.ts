import { ApplicationFailure } from '@temporalio/common';
import { isAboutServer, type SendOutcome } from '../../runtime/connections/mailer';
import type { Deps } from '../../runtime/process/deps';
import { mailTopic } from '../../entities/rules/mail/mail';
import { mailAttempts, mailWaits } from './metrics';
import type { Sending } from './plan';
import type { MailServer } from './server';

/**
 * Hands a mail to the server; throws for one that is to be tried again. The server's words name the
 * address: they go to no history and no log.
 */
export async function send(
  deps: Pick<Deps, 'log' | 'metrics' | 'clock'>,
  { mailer, breaker }: MailServer,
  { mail, composed, to }: Sending,
): Promise<SendOutcome> {
  const topic = mailTopic(mail.type);
  if (!breaker.mayTry(topic)) {
    throw away('the mail server is away', againAfterMs);
  }
  const { subject, html, text, unsubscribeUrl } = composed;
  const attempts = mailAttempts(deps.metrics);
  try {
    const letter = { messageId: mail.id, to, subject, html, text, unsubscribeUrl };
    const outcome = await mailer.send(letter);
    attempts.inc({ type: mail.type, outcome });
    breaker.worked();
    const waitedMs = deps.clock.now().getTime() - mail.createdAt.getTime();
    if (outcome === 'accepted') mailWaits(deps.metrics).observe({ topic }, waitedMs / 1_000);
    return outcome;
  } catch (error) {
    attempts.inc({ type: mail.type, outcome: 'try_again' });
    if (isAboutServer(error)) breaker.failed();
    else breaker.worked();
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    const { id: mailId, type } = mail;
    deps.log.warn({ mailId, type, code, responseCode }, 'a mail could not be sent');
    const why = responseCode ?? code ?? 'no answer';
    const delay = breaker.isOpen() ? againAfterMs : undefined;
    throw away(`the mail server did not take the mail (${why})`, delay);
  }
}

/** While the breaker is open; few have a workflow then, the others wait in the outbox. */
const againAfterMs = 30_000;

function away(message: string, nextRetryDelay?: number): ApplicationFailure {
  const delay = nextRetryDelay === undefined ? {} : { nextRetryDelay };
  return ApplicationFailure.create({ message, type: 'MailServerAway', ...delay });
}
