import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Some rows of a file, encrypted, with keyed hashes of the addresses in them: an erasure finds those. */
@Entity({ name: 'import_chunks' })
export class ImportChunk {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_import_chunks' }) fileId!: string;
  @PrimaryColumn('int', { primaryKeyConstraintName: 'pk_import_chunks' }) chunk!: number;
  @Column('text') sealed!: string;
  @Column('text', { array: true }) addressHashes!: string[];
}
