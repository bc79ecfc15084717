import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Grouping } from '../../rules/imports/groups';
import type { ImportMapping, ImportSource } from '../../rules/imports/kinds';
import type { ImportReport } from '../../rules/imports/report';
import type { ImportPlace, ImportProgress } from '../../rules/imports/place';
import type { ImportStatus } from '../../rules/imports/status';
import type { Mode } from '../../rules/values/mode';

/** An import into a programme: what it takes, how far it has come, and what came of it. */
@Check('ck_imports_mode', `mode IN ('test', 'live')`)
@Check('ck_imports_source', `source IN ('rewardful', 'tolt', 'firstpromoter', 'csv')`)
@Check(
  'ck_imports_status',
  `status IN ('draft', 'reading', 'checked', 'applying', 'applied', 'undoing', 'undone', 'stopped', 'cancelled', 'failed')`,
)
@Index('uq_import_open', ['programId'], {
  unique: true,
  where: `status NOT IN ('applied', 'undone', 'cancelled')`,
})
@Entity({ name: 'imports' })
export class Import {
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', update: false }) workspaceId!: string;
  @Column({ type: 'text', update: false }) mode!: Mode;
  @Column({ type: 'uuid', update: false }) programId!: string;
  @Column({ type: 'text', update: false }) source!: ImportSource;
  /** The system that gave it its ids. */
  @Column({ type: 'text', update: false }) name!: string;
  @Column('text') status!: ImportStatus;
  /** Sales up to it are the old system's, later ones ours. */
  @Column('timestamptz') cutover!: Date;
  /** The currency of rows for which the source tells none. */
  @Column('text') currency!: string;
  /** Campaigns of the source; null for all. */
  @Column('text', { array: true, nullable: true }) onlyCampaigns!: string[] | null;
  /** Its campaigns become groups; null: partners begin in the default one. */
  @Column('text', { nullable: true }) groupBy!: Grouping | null;
  /** Groups that it made: an undo takes those that nothing names. */
  @Column('uuid', { array: true, nullable: true }) madeGroups!: string[] | null;
  @Column('jsonb') mapping!: ImportMapping;
  /** Words of the source, and ours for them. */
  @Column('jsonb') statuses!: Record<string, string>;
  /** The key of a source by API; gone when the import ends. */
  @Column('text', { nullable: true }) credentialsEncrypted!: string | null;
  /** The report of the check; once it is applied, of what was booked. */
  @Column('jsonb', { nullable: true }) report!: ImportReport | null;
  @Column('jsonb', { nullable: true }) error!: { code: string; message: string } | null;
  @Column('jsonb', { nullable: true }) progress!: ImportProgress | null;
  /** Where the work goes on. */
  @Column('jsonb', { nullable: true }) place!: ImportPlace | null;
  /** What was announced to its partners. */
  @Column('jsonb', { nullable: true }) announced!: { count: number; at: string } | null;
  /** The merchant's words in the mails that announce it. */
  @Column('text', { nullable: true }) message!: string | null;
  /** When the work under way was asked for: of a workspace the first goes first. */
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) checkedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) appliedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  @Column({ type: 'timestamptz', update: false }) createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}
