import { counter, type Registry } from '../../runtime/observe/metrics';

/** There from the start of an API: of refused calls an alarm sees the first ones. */
export function providerEvents(metrics: Registry) {
  return counter(metrics, {
    name: 'mail_provider_events_total',
    help: 'Calls of the mail provider by what came of them; refused: not signed as we expect; unasked: we have no secret to prove it by',
    labels: ['outcome'],
    zeros: [{ outcome: 'taken' }, { outcome: 'refused' }, { outcome: 'unasked' }],
  });
}
