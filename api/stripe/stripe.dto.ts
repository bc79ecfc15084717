import {
  connectionUrl,
  type ConnectionRecord,
} from '../../activities/billing/connection/connection';
import type { ConnectionProblems } from '../../activities/billing/connection/problems';
import type { Config } from '../../runtime/config/config';
import { modes, type Mode } from '../../entities/rules/values/mode';
import {
  stripeEventStatuses,
  type StripeEventStatus,
} from '../../entities/rules/billing/event-status';
import type { BillerEvent } from '../../entities/tables/billing/biller-event.entity';
import { PageQuery } from '../http/contract/pagination';
import {
  AnyText,
  DateOrInstant,
  Flag,
  Instant,
  Int,
  OneOf,
  Text,
  Texts,
  Uuid,
} from '../http/contract/validators';

const connectionStatuses = ['not_connected', 'connected', 'error'] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

export class StripeConnectionDto {
  @Uuid()
  connectionId!: string;

  @OneOf(modes)
  mode!: Mode;

  @OneOf(connectionStatuses, { example: 'connected' })
  status!: ConnectionStatus;

  @AnyText({
    description: "Where Stripe's events are sent.",
    example: 'https://api.example.com/webhooks/stripe/0199c2b4-7d5e-7a31-8c44-0f6e21d3b9aa',
  })
  url!: string;

  @Flag({ example: true })
  hasRestrictedKey!: boolean;

  @Flag({ example: true })
  hasWebhookSecret!: boolean;

  @Instant({ nullable: true })
  lastEventAt!: string | null;

  @AnyText({ nullable: true, example: 'invoice.paid' })
  lastEventType!: string | null;

  @AnyText({
    nullable: true,
    description:
      'What is wrong with the connection; while its status is connected, what it never hears of as it is.',
  })
  lastError!: string | null;

  @Texts({
    description:
      'Kinds of events that Stripe never sent although an event shows that they belong: add them to the endpoint. Empty with a restricted key, which finds the same.',
  })
  missingKinds!: string[];
}

export type LastEvent = Pick<BillerEvent, 'receivedAt' | 'type'>;

type Told = ConnectionProblems & { lastEvent: LastEvent | undefined };

/** Secrets never leave: only whether they are there. */
export function presentConnection(
  connection: ConnectionRecord,
  { lastEvent, lastError, isWorking, missingKinds }: Told,
  config: Pick<Config, 'publicBaseUrl'>,
): StripeConnectionDto {
  return {
    connectionId: connection.id,
    mode: connection.mode,
    status: statusOf(connection, isWorking),
    url: connectionUrl(config, connection),
    hasRestrictedKey: connection.restrictedKey !== null,
    hasWebhookSecret: connection.webhookSecret !== null,
    lastEventAt: lastEvent?.receivedAt.toISOString() ?? null,
    lastEventType: lastEvent?.type ?? null,
    lastError,
    missingKinds,
  };
}

function statusOf({ webhookSecret }: ConnectionRecord, isWorking: boolean): ConnectionStatus {
  if (webhookSecret === null) return 'not_connected';
  return isWorking ? 'connected' : 'error';
}

export class PutStripeConnectionBody {
  @Text({
    min: 1,
    max: 500,
    optional: true,
    description:
      'rk_ or sk_ key of this mode. Alone it also registers our endpoint at Stripe, once.',
    example: `rk_live_${'x'.repeat(24)}`,
  })
  restrictedKey?: string;

  @Text({
    min: 1,
    max: 500,
    optional: true,
    description:
      'Signing secret of an endpoint that you registered yourself: whsec_ and at least 10 characters.',
    example: `whsec_${'x'.repeat(24)}`,
  })
  webhookSecret?: string;
}

export class StripeEventFilter extends PageQuery {
  @OneOf(stripeEventStatuses, { optional: true })
  status?: StripeEventStatus;

  @Text({ max: 255, optional: true, description: 'Exact type.', example: 'invoice.paid' })
  type?: string;

  @Text({ max: 255, optional: true, description: 'Id of the object that the event is about.' })
  objectId?: string;

  @DateOrInstant({ optional: true, description: 'Compared with receivedAt.' })
  dateFrom?: string;

  @DateOrInstant({ optional: true, description: 'Compared with receivedAt.' })
  dateTo?: string;
}

export class StripeEventDto {
  @Uuid({ description: 'Ours; replay takes it.' })
  id!: string;

  @AnyText({ example: 'evt_1SkQ2bLy8aFfGhJk' })
  stripeEventId!: string;

  @AnyText({ example: 'invoice.paid' })
  type!: string;

  @AnyText({ nullable: true, example: '2025-08-27.basil' })
  apiVersion!: string | null;

  @AnyText({ nullable: true, example: 'in_1SkR8gLy8aFfGhJk' })
  objectId!: string | null;

  @OneOf(stripeEventStatuses, {
    description:
      'received, retrying: under way. processed: has had its effect. ignored: nothing of ours. waiting: kept until its payment arrives, or until its promotion code can be read. failed: given up; replay it.',
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
