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
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', update: false }) workspaceId!: string;
  @Column({ type: 'text', update: false }) mode!: Mode;
  @Column('uuid') endpointId!: string;
  @Column('uuid') eventId!: string;
  @Column('text') eventType!: WebhookEventKind;
  /** The delivery that a merchant asked to send again as this one. */
  @Column('uuid', { nullable: true }) replayOf!: string | null;
  @Column('text') status!: DeliveryStatus;
  @Column('int') attempts!: number;
  @Column('int') attemptsBefore!: number;
  @Column('timestamptz', { nullable: true }) nextAttemptAt!: Date | null;
  @Column('uuid', { nullable: true }) leaseToken!: string | null;
  @Column('timestamptz', { nullable: true }) leaseUntil!: Date | null;
  @Column('int', { nullable: true }) httpStatusCode!: number | null;
  @Column('text', { nullable: true }) errorMessage!: string | null;
  @Column('int', { nullable: true }) durationMs!: number | null;
  @Column('text', { nullable: true }) responseBody!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) lastAttemptAt!: Date | null;
}
