import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When recurring work last succeeded, whichever process did it. */
@Entity({ name: 'scheduled_work' })
export class ScheduledWork {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_scheduled_work' }) schedule!: string;
  @Column('timestamptz') succeededAt!: Date;
}
