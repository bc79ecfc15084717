import type { Selected, Selection } from '../../entities/database/columns';
import type { WebhookAttempt } from '../../entities/tables/webhooks/webhook-attempt.entity';
import type { WebhookDelivery } from '../../entities/tables/webhooks/webhook-delivery.entity';
import { publicEventId, type EventEnvelope } from '../../entities/rules/webhooks/envelope';
import { webhookEventKinds, type WebhookEventKind } from '../../entities/rules/webhooks/events';
import {
  deliveryStatuses,
  type DeliveryStatus,
} from '../../entities/rules/webhooks/delivery-status';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  DateOrInstant,
  Instant,
  Int,
  ListOf,
  Nested,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';
import { EventDto } from './event-payloads.dto';

export class DeliveryFilter extends PageQuery {
  @OneOf(deliveryStatuses, { optional: true })
  status?: DeliveryStatus;

  @OneOf(webhookEventKinds, { optional: true })
  eventType?: WebhookEventKind;

  @DateOrInstant({ optional: true, description: 'Created at or after.' })
  dateFrom?: string;

  @DateOrInstant({ optional: true, description: 'A day is inclusive, an instant exclusive.' })
  dateTo?: string;
}

export class RetryDeadLettersBody {
  @Instant({ optional: true, description: 'Only dead letters created at or after this instant.' })
  since?: string;
}

export class RequeuedDto {
  @Int({ min: 0, description: 'Dead letters that are queued again.', example: 12 })
  queued!: number;
}

export class DeliveryDto {
  @Uuid()
  id!: string;

  @Uuid()
  endpointId!: string;

  @Text({
    max: 40,
    description: 'The `webhook-id` that the receiver sees.',
    example: 'evt_01920d3c-5f00-7000-8000-00000000c009',
  })
  eventId!: string;

  @OneOf(webhookEventKinds, { example: 'commission.created' })
  eventType!: WebhookEventKind;

  @OneOf(deliveryStatuses, { example: 'retrying' })
  status!: DeliveryStatus;

  @Int({ min: 0 })
  attempts!: number;

  @Int({ nullable: true, description: 'Of the last attempt; null when no HTTP answer came.' })
  httpStatusCode!: number | null;

  @AnyText({ nullable: true, description: 'Null on success.' })
  errorMessage!: string | null;

  @Int({ nullable: true, description: 'Milliseconds of the last attempt.' })
  durationMs!: number | null;

  @Instant()
  createdAt!: string;

  @Instant({ nullable: true, example: '2026-01-31T09:30:00.100Z' })
  lastAttemptAt!: string | null;

  @Instant({
    nullable: true,
    description: 'Null when no attempt is left.',
    example: '2026-01-31T09:30:05.300Z',
  })
  nextAttemptAt!: string | null;
}

export class DeliveryAttemptDto {
  @Int({ min: 1 })
  attempt!: number;

  @Instant()
  at!: string;

  @Int({ nullable: true })
  httpStatusCode!: number | null;

  @AnyText({ nullable: true })
  errorMessage!: string | null;

  @Int({ min: 0, description: 'Milliseconds.' })
  durationMs!: number;
}

export class DeliveryDetailDto extends DeliveryDto {
  @Nested(() => EventDto, {
    nullable: true,
    description: 'What was sent; null for an event of over 31 days ago, which is no longer kept.',
  })
  payload!: EventDto | null;

  @Text({
    max: 128,
    nullable: true,
    description: 'The `X-Request-Id` of the request in which it happened; null when none was made.',
    example: '01920d3c-5f00-7000-8000-00000000c011',
  })
  requestId!: string | null;

  @AnyText({
    nullable: true,
    description: "The first 16 KiB of the receiver's last answer.",
    example: 'database is down',
  })
  responseBody!: string | null;

  @ListOf(() => DeliveryAttemptDto, { description: 'Oldest first.' })
  attemptLog!: DeliveryAttemptDto[];
}

export const deliveryColumns = [
  'id',
  'endpointId',
  'eventId',
  'eventType',
  'status',
  'attempts',
  'httpStatusCode',
  'errorMessage',
  'durationMs',
  'createdAt',
  'lastAttemptAt',
] as const satisfies Selection<WebhookDelivery>;

export type DeliveryRow = Selected<WebhookDelivery, typeof deliveryColumns> &
  Pick<WebhookDelivery, 'nextAttemptAt'>;

export const attemptColumns = [
  'attempt',
  'at',
  'httpStatusCode',
  'errorMessage',
  'durationMs',
] as const satisfies Selection<WebhookAttempt>;

export type AttemptRow = Selected<WebhookAttempt, typeof attemptColumns>;

export interface DeliveryDetail {
  delivery: DeliveryRow;
  /** Null once the event is no longer kept. */
  payload: EventEnvelope | null;
  requestId: string | null;
  responseBody: string | null;
  attempts: AttemptRow[];
}

export function presentDelivery(row: DeliveryRow): DeliveryDto {
  return {
    id: row.id,
    endpointId: row.endpointId,
    eventId: publicEventId(row.eventId),
    eventType: row.eventType,
    status: row.status,
    attempts: row.attempts,
    httpStatusCode: row.httpStatusCode,
    errorMessage: row.errorMessage,
    durationMs: row.durationMs,
    createdAt: row.createdAt.toISOString(),
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}

export function presentDeliveryDetail(detail: DeliveryDetail): DeliveryDetailDto {
  return {
    ...presentDelivery(detail.delivery),
    payload: detail.payload,
    requestId: detail.requestId,
    responseBody: detail.responseBody,
    attemptLog: detail.attempts.map((row) => ({
      attempt: row.attempt,
      at: row.at.toISOString(),
      httpStatusCode: row.httpStatusCode,
      errorMessage: row.errorMessage,
      durationMs: row.durationMs,
    })),
  };
}
