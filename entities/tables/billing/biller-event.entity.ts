import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Biller } from '../../rules/billing/biller';
import type { Mode } from '../../rules/values/mode';
import type { StripeEventStatus } from '../../rules/billing/event-status';

/** An event as a biller sent it, or as its lists told it, and what became of it. */
@Check('ck_stripe_events_biller', `biller IN ('stripe', 'paddle', 'polar')`)
@Check('ck_stripe_events_mode', `mode IN ('test', 'live')`)
@Check(
  'ck_stripe_events_status',
  `status IN ('received', 'retrying', 'processed', 'ignored', 'waiting', 'failed')`,
)
@Unique('uq_stripe_event', ['connectionId', 'stripeEventId'])
@Entity({ name: 'stripe_events' })
export class BillerEvent {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') connectionId!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') biller!: Biller;
  /** The biller's; one of ours for what it names none of (eventIdOfRead). */
  @Column('text') stripeEventId!: string;
  @Column('text') type!: string;
  @Column('text', { nullable: true }) apiVersion!: string | null;
  @Column('text', { nullable: true }) objectId!: string | null;
  /** The raw body, encrypted by the vault. */
  @Column('text') body!: string;
  /** Keyed hashes of its words that may be a person's; null when an erasure has to read the body. */
  @Column('int', { array: true, nullable: true }) words!: number[] | null;
  @Column('text') status!: StripeEventStatus;
  @Column('int') attempts!: number;
  /** Why it failed, waits or was ignored. */
  @Column('text', { nullable: true }) error!: string | null;
  @Column('uuid', { nullable: true }) paymentId!: string | null;
  /** No webhook brought it: its biller's lists did. */
  @Column('boolean') recovered!: boolean;
  @Column('timestamptz') receivedAt!: Date;
  /** When a workflow last took it up: the sweep looks for abandoned ones. */
  @Column('timestamptz') touchedAt!: Date;
  @Column('timestamptz', { nullable: true }) processedAt!: Date | null;
}
