import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { BillerObject as Telling } from '../../rules/billing/rules';

/** One object of a biller's, the payment that it belongs to, and what its events say so far. */
@Entity({ name: 'stripe_objects' })
export class BillerObject {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_stripe_object' }) workspaceId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_stripe_object' }) mode!: Mode;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_stripe_object' }) objectId!: string;
  @Column('uuid') paymentId!: string;
  @Column('jsonb', { nullable: true }) fact!: Telling['fact'];
}
