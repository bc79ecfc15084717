import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** An Idempotency-Key with the encrypted answer of its first request. */
@Entity({ name: 'idempotency_keys' })
export class IdempotencyKey {
  @PrimaryColumn({
    primaryKeyConstraintName: 'uq_idempotency_key',
    name: 'principal_id',
    type: 'uuid',
  })
  principalId!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_idempotency_key', type: 'text' })
  mode!: Mode;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_idempotency_key', type: 'text' })
  path!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_idempotency_key', type: 'text' })
  key!: string;

  @Column({ name: 'workspace_id', type: 'uuid', nullable: true })
  workspaceId!: string | null;

  @Column({ name: 'body_hash', type: 'text' })
  bodyHash!: string;

  @Column({ name: 'claim_token', type: 'uuid' })
  claimToken!: string;

  @Column({ name: 'claimed_at', type: 'timestamptz' })
  claimedAt!: Date;

  @Column({ type: 'text', nullable: true })
  answer!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
