import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { SubscribedSince, Subscription } from '../../rules/webhooks/events';

/** A merchant's receiver of events. Its secrets are encrypted. */
@Check('ck_webhook_endpoints_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'webhook_endpoints' })
export class WebhookEndpoint {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', array: true })
  events!: Subscription[];

  @Column({ name: 'subscribed_since', type: 'jsonb' })
  subscribedSince!: SubscribedSince;

  /** Null while the endpoint is inactive. */
  @Column({ name: 'active_since', type: 'timestamptz', nullable: true })
  activeSince!: Date | null;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason!: string | null;

  @Column({ name: 'secret_encrypted', type: 'text' })
  secretEncrypted!: string;

  @Column({ name: 'previous_secret_encrypted', type: 'text', nullable: true })
  previousSecretEncrypted!: string | null;

  @Column({ name: 'previous_secret_until', type: 'timestamptz', nullable: true })
  previousSecretUntil!: Date | null;

  @Column({ name: 'failures_in_row', type: 'int' })
  failuresInRow!: number;

  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince!: Date | null;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError!: string | null;

  /** While the breaker is open: when the next delivery may be tried. */
  @Column({ name: 'next_probe_at', type: 'timestamptz', nullable: true })
  nextProbeAt!: Date | null;

  /** While the breaker is open: the one delivery that may be tried. */
  @Column({ name: 'probe_id', type: 'uuid', nullable: true })
  probeId!: string | null;

  /** When the merchant was notified of the first dead letter of this streak of failures. */
  @Column({ name: 'dead_letter_noticed_at', type: 'timestamptz', nullable: true })
  deadLetterNoticedAt!: Date | null;

  /** Since when an operator has the retries wait; null after the next success. */
  @Column({ name: 'retries_paused_at', type: 'timestamptz', nullable: true })
  retriesPausedAt!: Date | null;

  @Column({ name: 'retries_wake_at', type: 'timestamptz', nullable: true })
  retriesWakeAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
