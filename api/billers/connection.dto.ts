import {
  stripeEventStatuses,
  type StripeEventStatus,
} from '../../entities/rules/billing/event-status';
import { modes, type Mode } from '../../entities/rules/values/mode';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  DateOrInstant,
  Flag,
  Instant,
  Int,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';

const connectionStatuses = ['not_connected', 'connected', 'error'] as const;

/** A connection to any biller. */
export class ConnectionDto {
  @Uuid()
  connectionId!: string;

  @OneOf(modes)
  mode!: Mode;

  @OneOf(connectionStatuses, { example: 'connected' })
  status!: (typeof connectionStatuses)[number];

  @AnyText({
    description: "Where the biller's events are sent.",
    example: 'https://api.example.com/webhooks/paddle/0199c2b4-7d5e-7a31-8c44-0f6e21d3b9aa',
  })
  url!: string;

  @Flag({ example: true })
  hasWebhookSecret!: boolean;

  @Instant({ nullable: true })
  lastEventAt!: string | null;

  @AnyText({ nullable: true, example: 'transaction.completed' })
  lastEventType!: string | null;

  @AnyText({
    nullable: true,
    description:
      'What is wrong with the connection; of one without a key, also what it never hears of.',
  })
  lastError!: string | null;
}

export class BillerEventFilter extends PageQuery {
  @OneOf(stripeEventStatuses, { optional: true })
  status?: StripeEventStatus;

  @Text({ max: 255, optional: true, description: 'Exact type.', example: 'transaction.completed' })
  type?: string;

  @Text({ max: 255, optional: true, description: 'Id of the object that the event is about.' })
  objectId?: string;

  @DateOrInstant({ optional: true, description: 'Compared with receivedAt.' })
  dateFrom?: string;

  @DateOrInstant({ optional: true, description: 'Compared with receivedAt.' })
  dateTo?: string;
}

/** An event of any biller. */
export class EventOfBillerDto {
  @Uuid({ description: 'Ours; replay takes it.' })
  id!: string;

  @AnyText({ example: 'transaction.completed' })
  type!: string;

  @AnyText({ nullable: true, example: 'txn_01hv975mbh902hcyb7mks5kt0n' })
  objectId!: string | null;

  @OneOf(stripeEventStatuses, {
    description:
      'received, retrying: under way. processed: has had its effect. ignored: nothing of ours. waiting: kept until its payment arrives, or until its discount or promotion code can be read. failed: given up; replay it.',
    example: 'processed',
  })
  status!: StripeEventStatus;

  @AnyText({ nullable: true, description: 'Why it failed, waits or was ignored.' })
  error!: string | null;

  @Int({ min: 0 })
  attempts!: number;

  @Instant()
  receivedAt!: string;

  @Instant({ nullable: true })
  processedAt!: string | null;
}
