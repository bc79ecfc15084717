import {
  connectionUrl,
  type ConnectionRecord,
} from '../../activities/billing/connection/connection';
import type { ConnectionProblems } from '../../activities/billing/connection/problems';
import {
  stripeEventStatuses,
  type StripeEventStatus,
} from '../../entities/rules/billing/event-status';
import { furtherBillers, type FurtherBiller } from '../../entities/rules/billing/biller';
import { modes, type Mode } from '../../entities/rules/values/mode';
import type { BillerEvent } from '../../entities/tables/billing/biller-event.entity';
import type { Config } from '../../runtime/config/config';
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
type ConnectionStatus = (typeof connectionStatuses)[number];

export class BillerConnectionDto {
  @Uuid()
  connectionId!: string;

  @OneOf(modes)
  mode!: Mode;

  @OneOf(connectionStatuses, { example: 'connected' })
  status!: ConnectionStatus;

  @AnyText({
    description: "Where the biller's events are sent.",
    example: 'https://api.example.com/webhooks/paddle/0199c2b4-7d5e-7a31-8c44-0f6e21d3b9aa',
  })
  url!: string;

  @Flag({ example: true })
  hasApiKey!: boolean;

  @Flag({ example: true })
  hasWebhookSecret!: boolean;

  @Instant({ nullable: true })
  lastEventAt!: string | null;

  @AnyText({ nullable: true, example: 'transaction.completed' })
  lastEventType!: string | null;

  @AnyText({
    nullable: true,
    description:
      'What is wrong with the connection; while its status is connected, what it never hears of as it is.',
  })
  lastError!: string | null;

  @Texts({
    description:
      'What the connection is not told as it is, such as `disputes` of Polar without an API key. Empty with a key.',
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
): BillerConnectionDto {
  const { id, mode, restrictedKey, webhookSecret } = connection;
  const working = isWorking ? 'connected' : 'error';
  return {
    connectionId: id,
    mode,
    status: webhookSecret === null ? 'not_connected' : working,
    url: connectionUrl(config, connection),
    hasApiKey: restrictedKey !== null,
    hasWebhookSecret: webhookSecret !== null,
    lastEventAt: lastEvent?.receivedAt.toISOString() ?? null,
    lastEventType: lastEvent?.type ?? null,
    lastError,
    missingKinds,
  };
}

export class PutBillerConnectionBody {
  @Text({
    min: 1,
    max: 500,
    optional: true,
    description:
      'A key of the biller, of this mode. Alone it also registers our endpoint at the biller, once.',
    example: `pdl_live_apikey_${'x'.repeat(26)}`,
  })
  apiKey?: string;

  @Text({
    min: 16,
    max: 255,
    optional: true,
    description:
      'Signing secret of an endpoint that you registered yourself, as the biller shows it.',
    example: `pdl_ntfset_${'x'.repeat(26)}`,
  })
  webhookSecret?: string;
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

export class BillerEventDto {
  @Uuid({ description: 'Ours; replay takes it.' })
  id!: string;

  @OneOf(furtherBillers)
  biller!: FurtherBiller;

  @AnyText({
    nullable: true,
    description:
      "Paddle's event_id, Polar's webhook-id; null for what a list told that names none.",
    example: 'evt_01hv97725sakkxq0yqdqef4m6p',
  })
  billerEventId!: string | null;

  @AnyText({ example: 'transaction.completed' })
  type!: string;

  @AnyText({ nullable: true, example: 'txn_01hv975mbh902hcyb7mks5kt0n' })
  objectId!: string | null;

  @OneOf(stripeEventStatuses, {
    description:
      'received, retrying: under way. processed: has had its effect. ignored: nothing of ours. waiting: kept until its payment arrives, or until its discount can be read. failed: given up; replay it.',
    example: 'processed',
  })
  status!: StripeEventStatus;

  @AnyText({ nullable: true, description: 'Why it failed, waits or was ignored.' })
  error!: string | null;

  @Int({ min: 0 })
  attempts!: number;

  @Flag({ description: 'No webhook brought it: the daily reading of the biller did.' })
  recovered!: boolean;

  @Instant()
  receivedAt!: string;

  @Instant({ nullable: true })
  processedAt!: string | null;
}
