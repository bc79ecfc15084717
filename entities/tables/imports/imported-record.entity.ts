import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImportKind, ImportSource } from '../../rules/imports/kinds';
import type { ToldFacts } from '../../rules/imports/stored';
import type { Mode } from '../../rules/values/mode';

/** What of theirs is which row of ours: for ever, so that nothing is booked twice. */
@Entity({ name: 'imported_records' })
export class ImportedRecord {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_imported_record' }) programId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_imported_record' }) source!: ImportSource;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_imported_record' }) name!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_imported_record' }) kind!: ImportKind;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_imported_record' }) theirKey!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  /** The import that booked it. */
  @Column('uuid') importId!: string;
  /** The participant, link, promo code, customer or commission. */
  @Column('uuid') recordId!: string;
  /** What was made beside: of a commission its conversion, of a customer the binding. */
  @Column('uuid', { nullable: true }) besideId!: string | null;
  /** The row was not here before: an undo takes it back. */
  @Column('boolean') made!: boolean;
  /** What was told last; equal is known. */
  @Column('jsonb') told!: ToldFacts;
  @Column('timestamptz') createdAt!: Date;
}
