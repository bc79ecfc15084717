import type { Selected, Selection } from '../../entities/database/columns';
import type { WebhookEndpoint } from '../../entities/tables/webhooks/webhook-endpoint.entity';
import type { FieldProblem } from '../../entities/errors';
import { modes, type Mode } from '../../entities/rules/values/mode';
import {
  subscribableKinds,
  subscriptionsRefusal,
  webhookEventKinds,
  type Subscription,
  type WebhookEventKind,
} from '../../entities/rules/webhooks/events';
import { parseWebhookUrl } from '../../entities/rules/webhooks/url';
import {
  AnyText,
  Flag,
  Instant,
  Int,
  OneOf,
  Text,
  Uuid,
  Values,
} from '../http/contract/validators';
import { maxUrlLength } from '../../entities/rules/partners/link-target';

const urlField = {
  max: maxUrlLength,
  description:
    'http or https (https in live mode), a public address, port 80, 443 or above 1023, no user name or password.',
  example: 'https://shop.example/hooks',
};

const eventsField = {
  min: 1,
  max: subscribableKinds.length,
  item: { type: 'string', enum: [...subscribableKinds] },
  valid: (item: unknown) => subscribableKinds.includes(item as Subscription),
  message: `each item must be one of ${subscribableKinds.join(', ')}`,
  distinct: true,
  description: 'Kinds of events, or `["*"]` for all, later ones too.',
  example: ['commission.created', 'commission.approved'],
};

const descriptionField = { max: 500, optional: true, nullable: true, example: 'Order system' };

export class CreateWebhookBody {
  @Text(urlField)
  url!: string;

  @Values(eventsField)
  events!: Subscription[];

  @Text(descriptionField)
  description?: string | null;
}

export class UpdateWebhookBody {
  @Text({ ...urlField, optional: true })
  url?: string;

  @Values({ ...eventsField, optional: true })
  events?: Subscription[];

  @Text(descriptionField)
  description?: string | null;

  @Flag({ optional: true, description: 'Activating clears `disabledReason`.' })
  active?: boolean;
}

/** What the fields' own checks do not see: the form of the URL, and `*` beside kinds. */
export function webhookProblems(body: { url?: string; events?: Subscription[] }): FieldProblem[] {
  const url = body.url === undefined ? undefined : parseWebhookUrl(body.url);
  const events = body.events && subscriptionsRefusal(body.events);
  return [
    ...(url && !url.ok ? [{ field: 'url', message: url.message }] : []),
    ...(events === undefined ? [] : [{ field: 'events', message: events }]),
  ];
}

export class RotateSecretBody {
  @Int({
    min: 0,
    max: 72,
    optional: true,
    description: 'Hours for which the old secret signs too. Default 0: it is dead at once.',
    example: 24,
  })
  overlapHours: number = 0;
}

export class PingBody {
  @OneOf(webhookEventKinds, {
    optional: true,
    description: 'Sends an example of this kind; `webhook.test` by default.',
    example: 'commission.created',
  })
  eventType: WebhookEventKind = 'webhook.test';
}

export class PingResultDto {
  @Flag({ example: true })
  success!: boolean;

  @Int({ nullable: true, description: 'Null when no HTTP answer came.', example: 204 })
  httpStatusCode!: number | null;

  @AnyText({ nullable: true, description: 'Null on success.', example: null })
  errorMessage!: string | null;
}

export class WebhookDto {
  @Uuid()
  id!: string;

  @AnyText({ example: 'https://shop.example/hooks' })
  url!: string;

  @Values({
    item: { type: 'string', enum: [...subscribableKinds] },
    valid: () => true,
    message: 'must be kinds',
    example: ['commission.created', 'commission.approved'],
  })
  events!: Subscription[];

  @AnyText({ nullable: true, example: 'Order system' })
  description!: string | null;

  @Flag({ example: true })
  active!: boolean;

  @OneOf(modes)
  mode!: Mode;

  @AnyText({ nullable: true, description: 'Why the service disabled the endpoint.' })
  disabledReason!: string | null;

  @Instant()
  createdAt!: string;

  @Instant()
  updatedAt!: string;
}

export class WebhookWithSecretDto extends WebhookDto {
  @Text({
    max: 70,
    description: 'Shown only in this answer.',
    example: 'whsec_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  })
  signingSecret!: string;
}

export const webhookColumns = [
  'id',
  'url',
  'events',
  'description',
  'mode',
  'disabledReason',
  'createdAt',
  'updatedAt',
] as const satisfies Selection<WebhookEndpoint>;

export type WebhookRow = Selected<WebhookEndpoint, typeof webhookColumns> & { active: boolean };

export function presentWebhook(row: WebhookRow): WebhookDto {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    active: row.active,
    mode: row.mode,
    disabledReason: row.disabledReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
