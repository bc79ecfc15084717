import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** One payment at Stripe: what joins its session, invoice, payment intent and charges. */
@Entity({ name: 'stripe_payments' })
export class StripePayment {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  /** Null while no conversion was made or reported of it. */
  @Column({ name: 'conversion_id', type: 'uuid', nullable: true })
  conversionId!: string | null;

  @Column({ name: 'subscription_id', type: 'text', nullable: true })
  subscriptionId!: string | null;

  @Column({ name: 'customer_id', type: 'text', nullable: true })
  customerId!: string | null;

  /** When money came in, by Stripe's time; null while none has. */
  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true })
  paidAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
