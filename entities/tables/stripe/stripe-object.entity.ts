import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { StripeObject as Telling } from '../../rules/stripe/settlement';

/** One object of Stripe's, the payment that it belongs to, and what its events say so far. */
@Entity({ name: 'stripe_objects' })
export class StripeObject {
  @PrimaryColumn({
    primaryKeyConstraintName: 'uq_stripe_object',
    name: 'workspace_id',
    type: 'uuid',
  })
  workspaceId!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_stripe_object', type: 'text' })
  mode!: Mode;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_stripe_object', name: 'object_id', type: 'text' })
  objectId!: string;

  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId!: string;

  @Column({ type: 'jsonb', nullable: true })
  fact!: Telling['fact'];
}
