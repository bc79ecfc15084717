import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Work that must follow a commit; deleted once done. */
@Entity({ name: 'outbox' })
export class OutboxRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_outbox' }) topic!: string;
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'pk_outbox', insert: false })
  id!: number;
  @Column('uuid') ref!: string;
  @Column('jsonb') payload!: Record<string, unknown>;
  /** All ones for what belongs to no workspace. */
  @Column('uuid') workspaceId!: string;
  @Column('timestamptz') availableAt!: Date;
  /** The request that it follows. */
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column({ type: 'int', insert: false }) attempts!: number;
  /** How often in all it was deferred, with nothing known to be wrong with it. */
  @Column({ type: 'int', insert: false }) deferrals!: number;
  @Column({ type: 'uuid', nullable: true, insert: false }) leaseToken!: string | null;
  @Column({ type: 'timestamptz', nullable: true, insert: false }) leaseUntil!: Date | null;
  /** Why the last attempt failed. */
  @Column({ type: 'text', nullable: true, insert: false }) errorCode!: string | null;
  @Column({ type: 'timestamptz', insert: false }) createdAt!: Date;
}
