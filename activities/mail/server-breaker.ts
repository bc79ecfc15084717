import type { Deps } from '../../runtime/process/deps';
import type { MailTopic } from '../../entities/rules/mail/mail';
import { mailServerOpen } from './metrics';

/** One mail that fails says something of that mail, ten of the server. */
const opensAfter = 10;
const probeEveryMs = 10_000;

/**
 * Whether this process asks the mail server at all. After ten failures in a row that were about the
 * server it is asked once in ten seconds, by whichever mail comes next, until it takes one.
 */
export interface MailServerBreaker {
  /** Whether a mail may be tried now; a probe is given out once. */
  mayTry(topic: MailTopic): boolean;
  /** Whether none would be tried now; asking takes no probe. */
  isResting(topic: MailTopic): boolean;
  isOpen(): boolean;
  worked(): void;
  failed(): void;
}

export function createMailServerBreaker({
  log,
  metrics,
}: Pick<Deps, 'log' | 'metrics'>): MailServerBreaker {
  const open = mailServerOpen(metrics);
  let failures = 0;
  let nextProbeAt = 0;
  const isOpen = (): boolean => failures >= opensAfter;
  // A mail that somebody waits for makes the probe when there is one: its relay looks once a second.
  const probeAt = (topic: MailTopic): number =>
    topic === 'mail' ? nextProbeAt : nextProbeAt + 3_000;
  const isResting = (topic: MailTopic): boolean => isOpen() && performance.now() < probeAt(topic);
  return {
    isOpen,
    isResting,
    mayTry(topic) {
      if (isResting(topic)) return false;
      nextProbeAt = performance.now() + probeEveryMs;
      return true;
    },
    worked() {
      if (isOpen()) log.warn('the mail server takes mails again');
      failures = 0;
      open.set(0);
    },
    failed() {
      failures += 1;
      if (failures !== opensAfter) return;
      nextProbeAt = performance.now() + probeEveryMs;
      open.set(1);
      log.error('the mail server does not take mails; it is asked again each ten seconds');
    },
  };
}
