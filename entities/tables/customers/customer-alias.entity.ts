import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** An id that a customer is known by: the merchant's own, and every other one of theirs. */
@Entity({ name: 'customer_aliases' })
export class CustomerAlias {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_customer_alias' }) workspaceId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_customer_alias' }) mode!: Mode;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_customer_alias' }) alias!: string;
  /** The customer's id in `customers`. */
  @Column('uuid') customer!: string;
  /** True when payments alone have named it, as their biller's own id of the buyer. */
  @Column('boolean', { default: false }) byBiller!: boolean;
}
