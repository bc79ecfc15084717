import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { StripeEventStatus } from '../../rules/stripe/event-status';

/** An event as Stripe sent it, and what became of it. */
@Check('ck_stripe_events_mode', `mode IN ('test', 'live')`)
@Check(
  'ck_stripe_events_status',
  `status IN ('received', 'retrying', 'processed', 'ignored', 'waiting', 'failed')`,
)
@Unique('uq_stripe_event', ['connectionId', 'stripeEventId'])
@Entity({ name: 'stripe_events' })
export class StripeEvent {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'connection_id', type: 'uuid' })
  connectionId!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'stripe_event_id', type: 'text' })
  stripeEventId!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ name: 'api_version', type: 'text', nullable: true })
  apiVersion!: string | null;

  @Column({ name: 'object_id', type: 'text', nullable: true })
  objectId!: string | null;

  /** The raw body, encrypted by the vault. */
  @Column({ type: 'text' })
  body!: string;

  /** Keyed hashes of its words that may be a person's; null when an erasure has to read the body. */
  @Column({ type: 'int', array: true, nullable: true })
  words!: number[] | null;

  @Column({ type: 'text' })
  status!: StripeEventStatus;

  @Column({ type: 'int' })
  attempts!: number;

  /** Why it failed, waits or was ignored. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId!: string | null;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt!: Date;

  /** When a workflow last took it up: the sweep looks for abandoned ones. */
  @Column({ name: 'touched_at', type: 'timestamptz' })
  touchedAt!: Date;

  @Column({ name: 'processed_at', type: 'timestamptz', nullable: true })
  processedAt!: Date | null;
}
