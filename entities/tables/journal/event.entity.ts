import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** What happened, as it was then; receivers of webhooks get exactly this. */
@Check('ck_events_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'events' })
export class Event {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'bigint', insert: false, update: false })
  seq!: number;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ type: 'text' })
  type!: string;

  @Column({ name: 'object_id', type: 'uuid' })
  objectId!: string;

  @Column({ type: 'json' })
  object!: Record<string, unknown>;

  @Column({ name: 'occurred_at', type: 'timestamptz' })
  occurredAt!: Date;

  /** What led to it, where the kind leaves that open. */
  @Column({ type: 'text', nullable: true })
  cause!: string | null;

  /** In which request it happened; of an activity, its run. */
  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId!: string | null;
}
