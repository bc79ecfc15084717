import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { OperatorReason } from '../../rules/values/operator-note';
import type { Actor } from '../../rules/values/actor';

/** Who did what, when. Append-only; ids and codes, never free text. */
@Check('ck_audit_log_operator', `operator IS NULL OR actor_type = 'operator'`)
@Entity({ name: 'audit_log' })
export class AuditLogEntry {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { nullable: true }) workspaceId!: string | null;
  @Column('text') actorType!: Actor['type'];
  @Column('uuid', { nullable: true }) actorId!: string | null;
  /** An operator's opaque id in their own directory. */
  @Column('text', { nullable: true }) operator!: string | null;
  /** Why an operator acted. */
  @Column('text', { nullable: true }) reasonCode!: OperatorReason | null;
  @Column('text') action!: string;
  @Column('text') targetType!: string;
  @Column('text', { nullable: true }) targetId!: string | null;
  /** Ids, codes and numbers that a copy of the line has to tell by itself. */
  @Column('jsonb', { nullable: true }) details!: Record<string, string | number | null> | null;
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('timestamptz') createdAt!: Date;
}
