import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When what a restore needs was last written outside of the database; a row for each kind. */
@Entity({ name: 'shipments' })
export class Shipment {
  /** `erasures`, `audit` or `base`: a base backup by `operate/backup`, which has no row where backups are made in another way. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_shipments' }) name!: string;
  @Column('timestamptz') shippedAt!: Date;
}
