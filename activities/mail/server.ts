import { createMailer, type Mailer } from '../../runtime/connections/mailer';
import type { Deps } from '../../runtime/process/deps';
import { createMailServerBreaker, type MailServerBreaker } from './server-breaker';

/** The mail server as one process sees it: its connections, and whether it is asked at all. */
export interface MailServer {
  mailer: Mailer;
  breaker: MailServerBreaker;
}

export function createMailServer(deps: Pick<Deps, 'config' | 'log' | 'metrics'>): MailServer {
  return { mailer: createMailer(deps.config), breaker: createMailServerBreaker(deps) };
}
