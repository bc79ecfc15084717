import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** An id that a conversion is known by: the reported one, and every processor id of the same payment. */
@Entity({ name: 'conversion_aliases' })
export class ConversionAlias {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_conversion_external_transaction' })
  workspaceId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_conversion_external_transaction' })
  mode!: Mode;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_conversion_external_transaction' })
  alias!: string;
  @Column('uuid') conversionId!: string;
}
