import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A range of dead letters that is to be queued again; deleted once it is. */
@Entity({ name: 'webhook_requeues' })
@Check('ck_webhook_requeues_mode', `mode IN ('test', 'live')`)
export class WebhookRequeue {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') endpointId!: string;
  /** Null for all dead letters up to `until`. */
  @Column('timestamptz', { nullable: true }) since!: Date | null;
  @Column('timestamptz') until!: Date;
  @Column('timestamptz') createdAt!: Date;
}
