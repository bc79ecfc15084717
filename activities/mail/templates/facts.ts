import type { Side } from '../../../entities/rules/accounts/accounts';
import type { NotificationFacts } from '../../../entities/rules/notifications/facts';
import { plainName, withoutLinks } from '../../../entities/rules/mail/plain-text';
import type { MailContent } from './layout';

/** What a mail's cause wrote down for its template, read from the mail's row. */
export interface MailParams extends NotificationFacts {
  workspaceName?: string | null;
  /** Of an erasure: what is not paid yet, by currency. */
  open?: { currency: string; pendingCents: number; approvedCents: number }[];
}

/** The reader's own name is not among them: a stranger can register any name for any address. */
export interface TemplateFacts {
  side: Side;
  params: MailParams;
  /** The link that the mail is about; only types that carry a token have one. */
  link: string | undefined;
  /** Of a notice: the page of its record, and when it happened. */
  record?: { url: string; at: Date } | undefined;
}

export type Template = (facts: TemplateFacts) => MailContent;

/**
 * The facts as a mail may show them: names without links, and reasons too where the address was
 * never verified, since then it may be a stranger's.
 */
export function showable(params: MailParams, { verified }: { verified: boolean }): MailParams {
  const { programName, partnerName, workspaceName, name, reason } = params;
  return {
    ...params,
    ...(programName ? { programName: plainName(programName) } : {}),
    ...(partnerName ? { partnerName: plainName(partnerName) } : {}),
    ...(workspaceName ? { workspaceName: plainName(workspaceName) } : {}),
    ...(name ? { name: plainName(name) } : {}),
    ...(reason && !verified ? { reason: withoutLinks(reason) } : {}),
  };
}

export function button(label: string, url: string | undefined): Pick<MailContent, 'action'> {
  return url === undefined ? {} : { action: { label, url } };
}
