import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordKind } from '../../rules/erasure/erasure';

/**
 * A row that was erased singly: an invite, or a conversion or customer for the sake of the buyer. Ids only, kept
 * for ever, so that it can be erased again on a restored backup.
 */
@Check('ck_erased_records_kind', `kind IN ('invite', 'conversion', 'customer')`)
@Entity({ name: 'erased_records' })
export class ErasedRecord {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_erased_records' }) kind!: RecordKind;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_erased_records' }) subjectId!: string;
  @Column('timestamptz') erasedAt!: Date;
}
