import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** Clicks that the pages of one origin sent on a UTC day. */
@Entity({ name: 'click_origins' })
@Check('ck_click_origins_mode', `mode IN ('test', 'live')`)
export class ClickOrigin {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_click_origins' }) workspaceId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_click_origins' }) mode!: Mode;
  @PrimaryColumn('date', { primaryKeyConstraintName: 'pk_click_origins' }) day!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_click_origins' }) origin!: string;
  @Column('bigint') clicks!: number;
  @Column('timestamptz') lastSeenAt!: Date;
}
