import { webhookEventKinds, type WebhookEventKind } from '../../entities/rules/webhooks/events';
import { PageQuery } from '../http/contract/pagination';
import { DateOrInstant, OneOf } from '../http/contract/validators';

export class EventFilter extends PageQuery {
  @OneOf(webhookEventKinds, { optional: true })
  type?: WebhookEventKind;

  @DateOrInstant({ optional: true, description: 'Happened at or after.' })
  dateFrom?: string;

  @DateOrInstant({ optional: true, description: 'A day is inclusive, an instant exclusive.' })
  dateTo?: string;
}
