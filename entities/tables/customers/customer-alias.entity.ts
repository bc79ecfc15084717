import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** An id that a customer is known by: the merchant's own, and every other one of theirs. */
@Entity({ name: 'customer_aliases' })
export class CustomerAlias {
  @PrimaryColumn({
    primaryKeyConstraintName: 'uq_customer_alias',
    name: 'workspace_id',
    type: 'uuid',
  })
  workspaceId!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_customer_alias', type: 'text' })
  mode!: Mode;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_customer_alias', type: 'text' })
  alias!: string;

  /** Of the row in `customers`. */
  @Column({ name: 'customer', type: 'uuid' })
  customer!: string;
}
