import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** What happened, as it was then; receivers of webhooks get exactly this. */
@Check('ck_events_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'events' })
export class Event {
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'bigint', insert: false, update: false }) seq!: number;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') type!: string;
  @Column('uuid') objectId!: string;
  @Column('json') object!: Record<string, unknown>;
  @Column('timestamptz') occurredAt!: Date;
  /** What led to it, where the kind leaves that open. */
  @Column('text', { nullable: true }) cause!: string | null;
  /** The request in which it happened; of an activity, its run. */
  @Column('text', { nullable: true }) requestId!: string | null;
}
