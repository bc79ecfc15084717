import { modes, type Mode } from '../../entities/rules/values/mode';
import { apiVersion, type EventEnvelope } from '../../entities/rules/webhooks/envelope';
import {
  webhookEventKinds,
  type WebhookEventKind,
  type WebhookObjectKind,
} from '../../entities/rules/webhooks/events';
import { objectKindOf } from '../../entities/rules/webhooks/events';
import type { EventRecords, FraudConversionObject } from '../../entities/rules/webhooks/objects';
import { exampleEvent } from '../../entities/rules/webhooks/examples';
import { EventConversionDto } from '../conversions/event-conversion.dto';
import { Flag, Instant, Int, Json, Nested, OneOf, Text } from '../http/contract/validators';
import {
  EventCommissionDto,
  EventFraudConversionDto,
  EventParticipantDto,
  EventPayoutDto,
  EventWebhookDto,
} from './event-objects.dto';

export class EventDataDto {
  @Json({
    description: 'The record as it was when the event happened.',
    example: {
      id: '01920d3c-5f00-7000-8000-00000000c002',
      program_id: '01920d3c-5f00-7000-8000-00000000c005',
      participant_id: '01920d3c-5f00-7000-8000-00000000c003',
      conversion_id: '01920d3c-5f00-7000-8000-00000000c001',
      external_transaction_id: 'order_1001',
      status: 'pending',
      commission_type: 'percentage',
      amount_cents: 1000,
      original_amount_cents: 1000,
      refunded_amount_cents: 0,
      currency: 'usd',
      conversion_amount_cents: 10_000,
      needs_review: false,
      review_reasons: [],
      hold_until: '2026-03-02T09:30:00.000Z',
      approved_at: null,
      rejected_at: null,
      paid_at: null,
      refunded_at: null,
      payout_id: null,
      created_at: '2026-01-31T09:30:00.000Z',
      updated_at: '2026-01-31T09:30:00.000Z',
    },
  })
  object!: Record<string, unknown>;
}

/** Any event, as it is posted to receivers and kept in the event log. */
export class EventDto {
  @Text({
    max: 40,
    description: 'The same at every attempt, retry and endpoint.',
    example: 'evt_01920d3c-5f00-7000-8000-00000000c009',
  })
  id!: string;

  @OneOf(webhookEventKinds, { example: 'commission.created' })
  type!: WebhookEventKind;

  @OneOf([apiVersion])
  api_version!: typeof apiVersion;

  @OneOf(modes, { example: 'test' })
  mode!: Mode;

  @Instant()
  created_at!: string;

  @Int({
    description: 'Grows with each event of one object, so that a receiver can order them.',
    example: 1024,
  })
  sequence!: number;

  @Nested(() => EventDataDto)
  data!: EventDataDto;
}

export const eventExample = exampleEvent('commission.created') satisfies EventEnvelope;

type DtoClass = new () => object;

/** A class that says exactly what the events' makers are held to. */
type ClassOf<Dto, Declared> = [Dto, Declared] extends [Declared, Dto] ? new () => Dto : never;

interface ObjectTypes extends Record<WebhookObjectKind, DtoClass> {
  conversion: ClassOf<EventConversionDto, EventRecords['conversion']>;
  commission: ClassOf<EventCommissionDto, EventRecords['commission']>;
  participant: ClassOf<EventParticipantDto, EventRecords['participant']>;
  payout: ClassOf<EventPayoutDto, EventRecords['payout']>;
  webhook: ClassOf<EventWebhookDto, EventRecords['webhook']>;
}

const fraudType: ClassOf<EventFraudConversionDto, FraudConversionObject> = EventFraudConversionDto;
const objectTypes: ObjectTypes = {
  conversion: EventConversionDto,
  commission: EventCommissionDto,
  participant: EventParticipantDto,
  payout: EventPayoutDto,
  webhook: EventWebhookDto,
};

/** The schema of each kind's whole payload, such as `CommissionCreatedEvent`. */
export const eventPayloads = Object.fromEntries(
  webhookEventKinds.map((kind) => [kind, payloadOf(kind)]),
) as Record<WebhookEventKind, DtoClass>;

/** What the OpenAPI document publishes beside the operations. */
export const eventPayloadClasses: readonly DtoClass[] = Object.values(eventPayloads);

function payloadOf(kind: WebhookEventKind): DtoClass {
  const objectType =
    kind === 'conversion.fraud_detected' ? fraudType : objectTypes[objectKindOf(kind)];

  class DataDto {
    @Nested(() => objectType)
    object!: object;
  }
  rename(DataDto, `${pascal(kind)}EventData`);

  class PayloadDto {
    @Text({ max: 40, example: exampleEvent(kind).id })
    id!: string;

    @OneOf([kind])
    type!: string;

    @OneOf([apiVersion])
    api_version!: string;

    @OneOf(modes)
    mode!: Mode;

    @Instant()
    created_at!: string;

    @Int()
    sequence!: number;

    @Flag({
      optional: true,
      description: 'true in a test ping: `object` is an example, and nothing happened.',
    })
    test?: boolean;

    @Nested(() => DataDto, { example: exampleEvent(kind).data })
    data!: DataDto;
  }
  rename(PayloadDto, `${pascal(kind)}Event`);
  return PayloadDto;
}

function rename(type: DtoClass, name: string): void {
  Object.defineProperty(type, 'name', { value: name });
}

/** `conversion.fraud_detected` -> `ConversionFraudDetected` */
function pascal(kind: string): string {
  return kind.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
