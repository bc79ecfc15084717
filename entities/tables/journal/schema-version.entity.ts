import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Which versions of the code the schema serves; one row. */
@Entity({ name: 'schema_versions' })
@Check('ck_schema_versions_one', 'id = 1')
export class SchemaVersion {
  @PrimaryColumn('int') id!: number;
  @Column('int') version!: number;
  @Column('int') oldestServed!: number;
  @Column('timestamptz') changedAt!: Date;
}
