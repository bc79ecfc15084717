import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Which versions of the code the schema serves; one row. */
@Entity({ name: 'schema_versions' })
@Check('ck_schema_versions_one', 'id = 1')
export class SchemaVersion {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @Column({ type: 'int' })
  version!: number;

  @Column({ name: 'oldest_served', type: 'int' })
  oldestServed!: number;

  @Column({ name: 'changed_at', type: 'timestamptz' })
  changedAt!: Date;
}
