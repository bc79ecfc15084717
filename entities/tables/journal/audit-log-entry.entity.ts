import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { OperatorReason } from '../../rules/values/operator-note';
import type { Actor } from '../../rules/values/actor';

/** Who did what, when. Append-only; ids and codes, never free text. */
@Check('ck_audit_log_operator', `operator IS NULL OR actor_type = 'operator'`)
@Entity({ name: 'audit_log' })
export class AuditLogEntry {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid', nullable: true })
  workspaceId!: string | null;

  @Column({ name: 'actor_type', type: 'text' })
  actorType!: Actor['type'];

  @Column({ name: 'actor_id', type: 'uuid', nullable: true })
  actorId!: string | null;

  /** Of an operator: an opaque id of their own directory. */
  @Column({ type: 'text', nullable: true })
  operator!: string | null;

  /** Why an operator acted. */
  @Column({ name: 'reason_code', type: 'text', nullable: true })
  reasonCode!: OperatorReason | null;

  @Column({ type: 'text' })
  action!: string;

  @Column({ name: 'target_type', type: 'text' })
  targetType!: string;

  @Column({ name: 'target_id', type: 'text', nullable: true })
  targetId!: string | null;

  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
