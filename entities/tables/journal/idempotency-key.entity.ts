import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** An Idempotency-Key with the encrypted answer of its first request. */
@Entity({ name: 'idempotency_keys' })
export class IdempotencyKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_idempotency_key' }) principalId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_idempotency_key' }) mode!: Mode;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_idempotency_key' }) path!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_idempotency_key' }) key!: string;
  @Column('uuid', { nullable: true }) workspaceId!: string | null;
  @Column('text') bodyHash!: string;
  @Column('uuid') claimToken!: string;
  @Column('timestamptz') claimedAt!: Date;
  @Column('text', { nullable: true }) answer!: string | null;
  @Column('timestamptz') createdAt!: Date;
}
