import { mailTypes } from '../../entities/rules/mail/mail';
import {
  counter,
  gauge,
  histogram,
  waitBuckets,
  type Registry,
} from '../../runtime/observe/metrics';

const outcomes = ['accepted', 'no_such_recipient', 'refused', 'try_again'];

/** There from the start of a worker, of each type and outcome. */
export function mailAttempts(metrics: Registry) {
  return counter(metrics, {
    name: 'mails_total',
    help: 'Attempts to hand a mail to the mail server, by its type and what came of it',
    labels: ['type', 'outcome'],
    zeros: Object.keys(mailTypes).flatMap((type) => outcomes.map((outcome) => ({ type, outcome }))),
  });
}

export function mailServerOpen(metrics: Registry) {
  const help = '1 while the breaker of the mail server is open: it is asked once in ten seconds';
  return gauge(metrics, { name: 'mail_server_open', help, zeros: [{}] });
}

export function mailWaits(metrics: Registry) {
  return histogram(metrics, {
    name: 'mail_sent_seconds',
    help: 'From the commit of a mail until the mail server took it',
    labels: ['topic'],
    zeros: [{ topic: 'mail' }, { topic: 'notice_mail' }],
    buckets: waitBuckets,
  });
}
