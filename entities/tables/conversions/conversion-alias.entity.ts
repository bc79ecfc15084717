import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** An id that a conversion is known by: the reported one, and every processor id of the same payment. */
@Entity({ name: 'conversion_aliases' })
export class ConversionAlias {
  @PrimaryColumn({
    primaryKeyConstraintName: 'uq_conversion_external_transaction',
    name: 'workspace_id',
    type: 'uuid',
  })
  workspaceId!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_conversion_external_transaction', type: 'text' })
  mode!: Mode;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_conversion_external_transaction', type: 'text' })
  alias!: string;

  @Column({ name: 'conversion_id', type: 'uuid' })
  conversionId!: string;
}
