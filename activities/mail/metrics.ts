import { mailTypes } from '../../entities/rules/mail/mail';
import { counter, type Registry } from '../../runtime/process/metrics';

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
