import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../rules/values/actor';

/** Who did what, when. Append-only; ids and codes, never free text. */
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
