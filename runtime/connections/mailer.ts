import { createTransport } from 'nodemailer';
import { judgeRefusal, type MailRefusal } from '../../entities/rules/mail/smtp-reply';
import type { Config } from '../config/config';

interface OutgoingMail {
  /** Stable over retries, so that a mailbox shows a mail once. */
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** One-click unsubscribe address (RFC 8058), for mails that a preference governs. */
  unsubscribeUrl?: string | undefined;
}

export type SendOutcome = 'accepted' | Exclude<MailRefusal, 'try_again'>;

export type Mailer = ReturnType<typeof createMailer>;

type MailConfig = 'smtpUrl' | 'smtpConnections' | 'mailFrom' | 'mailReplyTo' | 'production';

/** Its connections are opened by the first mails, used again, and closed when there is nothing to send. */
export function createMailer(config: Pick<Config, MailConfig>) {
  const { mailFrom, mailReplyTo } = config;
  const transport = openTransport(config);
  const domain = /@([\w.-]+)/.exec(mailFrom)?.[1] ?? 'localhost';
  return {
    /** Hands a mail to the SMTP server. Refusals that it answers are final; all else throws. */
    async send(mail: OutgoingMail): Promise<SendOutcome> {
      const { messageId, to, subject, html, text, unsubscribeUrl } = mail;
      if ([messageId, to, subject, unsubscribeUrl ?? ''].some(breaksHeader)) return 'refused';
      try {
        await transport.sendMail({
          from: mailFrom,
          ...(mailReplyTo === undefined ? {} : { replyTo: mailReplyTo }),
          to: { name: '', address: to },
          messageId: `<${messageId}@${domain}>`,
          subject,
          html,
          text,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl === undefined
              ? {}
              : {
                  'List-Unsubscribe': `<${unsubscribeUrl}>`,
                  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                }),
          },
        });
        return 'accepted';
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === 'try_again') throw error;
        return refusal;
      }
    },
    /** Closes the connections, after the last mail. */
    close: (): void => transport.close(),
  };
}

function openTransport(config: Pick<Config, MailConfig>) {
  return createTransport({
    url: config.smtpUrl,
    pool: true,
    maxConnections: config.smtpConnections,
    // Servers may end what is idle for longer, and a later mail would find out.
    idleTimeout: 5_000,
    // One retry is for a connection that the server ended while it was idle. All others are the caller's.
    maxRequeues: 1,
    requireTLS: mustEncrypt(config),
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
  });
}

/** A line end would begin another header. */
function breaksHeader(value: string): boolean {
  return /[\r\n\0]/.test(value);
}

/**
 * Mails hold links that reset passwords: whoever can take the offer of STARTTLS out of the way would
 * read them. On one's own machine there is nothing to read along.
 */
export function mustEncrypt({
  smtpUrl,
  production,
}: Pick<Config, 'smtpUrl' | 'production'>): boolean {
  const host = new URL(smtpUrl).hostname;
  const isLoopback = host === 'localhost' || host === '[::1]' || /^127\./.test(host);
  return production && !isLoopback;
}

function refusalOf(error: unknown): MailRefusal {
  const { responseCode, response, command } = error as SmtpError;
  return judgeRefusal({ code: responseCode, text: response ?? '', command });
}

/** What nodemailer adds to its errors. */
interface SmtpError {
  responseCode?: number;
  response?: string;
  command?: string;
}

/**
 * Whether a mail that was not taken says something of the server: no answer, a session that it does
 * not begin. What it says to a recipient or a letter, such as to come back later, is about that mail.
 */
export function isAboutServer(error: unknown): boolean {
  const { responseCode, command } = error as SmtpError;
  if (responseCode === undefined || responseCode === 421) return true;
  return command !== 'RCPT TO' && command !== 'DATA';
}
