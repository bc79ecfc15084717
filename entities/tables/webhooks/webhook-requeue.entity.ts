import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A range of dead letters that is to be queued again; deleted once it is. */
@Entity({ name: 'webhook_requeues' })
@Check('ck_webhook_requeues_mode', `mode IN ('test', 'live')`)
export class WebhookRequeue {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'endpoint_id', type: 'uuid' })
  endpointId!: string;

  /** Null for all dead letters up to `until`. */
  @Column({ type: 'timestamptz', nullable: true })
  since!: Date | null;

  @Column({ type: 'timestamptz' })
  until!: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
