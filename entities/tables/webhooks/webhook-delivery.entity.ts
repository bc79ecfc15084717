import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { WebhookEventKind } from '../../rules/webhooks/events';
import type { DeliveryStatus } from '../../rules/webhooks/delivery-status';

/** One event on its way to one endpoint. */
@Check('ck_webhook_deliveries_mode', `mode IN ('test', 'live')`)
@Check(
  'ck_webhook_deliveries_status',
  `status IN ('pending', 'retrying', 'succeeded', 'dead_letter', 'cancelled')`,
)
@Index('uq_webhook_delivery', ['eventId', 'endpointId'], {
  unique: true,
  where: `replay_of IS NULL`,
})
@Entity({ name: 'webhook_deliveries' })
export class WebhookDelivery {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid', update: false })
  workspaceId!: string;

  @Column({ type: 'text', update: false })
  mode!: Mode;

  @Column({ name: 'endpoint_id', type: 'uuid' })
  endpointId!: string;

  @Column({ name: 'event_id', type: 'uuid' })
  eventId!: string;

  @Column({ name: 'event_type', type: 'text' })
  eventType!: WebhookEventKind;

  /** The delivery that a merchant asked to send again as this one. */
  @Column({ name: 'replay_of', type: 'uuid', nullable: true })
  replayOf!: string | null;

  @Column({ type: 'text' })
  status!: DeliveryStatus;

  @Column({ type: 'int' })
  attempts!: number;

  @Column({ name: 'attempts_before', type: 'int' })
  attemptsBefore!: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz', nullable: true })
  nextAttemptAt!: Date | null;

  @Column({ name: 'lease_token', type: 'uuid', nullable: true })
  leaseToken!: string | null;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil!: Date | null;

  @Column({ name: 'http_status_code', type: 'int', nullable: true })
  httpStatusCode!: number | null;

  @Column({ name: 'error_message', type: 'text', nullable: true })
  errorMessage!: string | null;

  @Column({ name: 'duration_ms', type: 'int', nullable: true })
  durationMs!: number | null;

  @Column({ name: 'response_body', type: 'text', nullable: true })
  responseBody!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'last_attempt_at', type: 'timestamptz', nullable: true })
  lastAttemptAt!: Date | null;
}
