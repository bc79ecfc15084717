import type { Side } from '../../../entities/rules/accounts/accounts';
import type { NotificationFacts } from '../../../entities/rules/notifications/facts';
import { dottedName, plainName, withoutLinks } from '../../../entities/rules/mail/plain-text';
import { isolated, withoutSteering } from '../../../entities/rules/values/name';
import type { MailContent } from './layout';

/** What a mail's cause wrote down for its template, read from the mail's row. */
export interface MailParams extends NotificationFacts {
  workspaceName?: string | null;
  /** The partner's own link, read when the mail is written: a stored one would outlive an erasure. */
  referralUrl?: string | undefined;
  /** When somebody gave the address, as an ISO instant. */
  askedAt?: string;
  /** Merchants made participations for the address, which are not paid before it is confirmed. */
  unpaid?: boolean;
  /** A merchant's own words to the partners of an import. */
  message?: string | null;
  /** What an erased partner is not paid yet, by currency. */
  open?: { currency: string; pendingCents: number; approvedCents: number }[];
}

/**
 * The reader's own name is not among them, but where it asks whether they typed it: a stranger can
 * register any name for any address.
 */
export interface TemplateFacts {
  side: Side;
  params: MailParams;
  /** The link that the mail is about; only types that carry a token have one. */
  link: string | undefined;
  /** Where to say that one did not ask for it. */
  refusal?: string | undefined;
  /** The page of a notice's record, and when it happened. */
  record?: { url: string; at: Date } | undefined;
}

export type Template = (facts: TemplateFacts) => MailContent;

/**
 * The facts as a mail may show them: names without links, and where the address was never verified,
 * so that it may be a stranger's, reasons and ids too, and names without dots.
 */
export function showable(params: MailParams, { verified }: { verified: boolean }): MailParams {
  const { programName, partnerName, workspaceName, name, reason, transactionId, message } = params;
  const plain = verified ? dottedName : plainName;
  const shown = (text: string): string => isolated(plain(text));
  const words = (text: string): string =>
    verified ? withoutSteering(text) : withoutLinks(withoutSteering(text));
  return {
    ...params,
    ...(programName ? { programName: shown(programName) } : {}),
    ...(partnerName ? { partnerName: shown(partnerName) } : {}),
    ...(workspaceName ? { workspaceName: shown(workspaceName) } : {}),
    ...(name ? { name: shown(name) } : {}),
    ...(message ? { message: withoutLinks(withoutSteering(message)) } : {}),
    ...(reason ? { reason: words(reason) } : {}),
    ...(transactionId ? { transactionId: words(transactionId) } : {}),
  };
}

export function button(label: string, url: string | undefined): Pick<MailContent, 'action'> {
  return url === undefined ? {} : { action: { label, url } };
}

/** The time to the minute, in UTC, for readers of any zone. */
export function utc(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
