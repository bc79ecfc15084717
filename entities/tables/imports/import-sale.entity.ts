import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** An id of the sale of a commission that was read: of several of one sale one is its own. */
@Entity({ name: 'import_sales' })
export class ImportSale {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_import_sales' }) importId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_import_sales' }) saleId!: string;
  @PrimaryColumn('int', { primaryKeyConstraintName: 'pk_import_sales' }) n!: number;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
}
