import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { SubscribedSince, Subscription } from '../../rules/webhooks/events';

/** A merchant's receiver of events. Its secrets are encrypted. */
@Check('ck_webhook_endpoints_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'webhook_endpoints' })
export class WebhookEndpoint {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') url!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { array: true }) events!: Subscription[];
  @Column('jsonb') subscribedSince!: SubscribedSince;
  /** Null while the endpoint is inactive. */
  @Column('timestamptz', { nullable: true }) activeSince!: Date | null;
  @Column('text', { nullable: true }) disabledReason!: string | null;
  @Column('text') secretEncrypted!: string;
  @Column('text', { nullable: true }) previousSecretEncrypted!: string | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil!: Date | null;
  @Column('int') failuresInRow!: number;
  @Column('timestamptz', { nullable: true }) failingSince!: Date | null;
  @Column('text', { nullable: true }) lastError!: string | null;
  /** While the breaker is open: when the next delivery may be tried. */
  @Column('timestamptz', { nullable: true }) nextProbeAt!: Date | null;
  /** While the breaker is open: the one delivery that may be tried. */
  @Column('uuid', { nullable: true }) probeId!: string | null;
  /** When the merchant was notified of the first dead letter of this streak of failures. */
  @Column('timestamptz', { nullable: true }) deadLetterNoticedAt!: Date | null;
  /** The time since which an operator has the retries wait; null after the next success. */
  @Column('timestamptz', { nullable: true }) retriesPausedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) retriesWakeAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}
