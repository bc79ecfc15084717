import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { ImportKind } from '../../rules/imports/kinds';
import type { Mode } from '../../rules/values/mode';

/** A part of a kind, as it was uploaded. Its rows are in import_chunks. */
@Unique('uq_import_file', ['importId', 'kind', 'part'])
@Entity({ name: 'import_files' })
export class ImportFile {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') importId!: string;
  @Column('text') kind!: ImportKind;
  @Column('int') part!: number;
  /** Names of its columns. */
  @Column('text', { array: true }) header!: string[];
  @Column('int') rows!: number;
  @Column('timestamptz') createdAt!: Date;
}
