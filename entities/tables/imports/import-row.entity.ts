import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ImportKind } from '../../rules/imports/kinds';
import type { ImportProblem, RowWarning } from '../../rules/imports/problems';
import type { RowOutcome, StoredFields } from '../../rules/imports/stored';
import type { ToldStatus } from '../../rules/imports/statuses';
import type { Mode } from '../../rules/values/mode';

/** A row that was read, until its import ends; what is personal of it is sealed. */
@Index('uq_import_row', ['importId', 'kind', 'theirKey'], {
  unique: true,
  where: 'their_key IS NOT NULL',
})
@Entity({ name: 'import_rows' })
export class ImportRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_import_rows' }) importId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_import_rows' }) kind!: ImportKind;
  /** The number of the row in the order of reading, from 1. */
  @PrimaryColumn('int', { primaryKeyConstraintName: 'pk_import_rows' }) n!: number;
  @Column({ type: 'uuid', update: false }) workspaceId!: string;
  @Column({ type: 'text', update: false }) mode!: Mode;
  @Column('text') file!: string;
  @Column('int') line!: number;
  /** What the row is known by; null for one that repeats another, or has none. */
  @Column('text', { nullable: true }) theirKey!: string | null;
  /** Their id, as problems show it. */
  @Column('text') shownId!: string;
  /** What its partner is known by. */
  @Column('text', { nullable: true }) partnerKey!: string | null;
  /** What its customer is known by. */
  @Column('text', { nullable: true }) customerKey!: string | null;
  /** Keyed hash of a partner's address: two of theirs with one address are one partner. */
  @Column('text', { nullable: true }) addressHash!: string | null;
  @Column('text', { nullable: true }) sealed!: string | null;
  @Column('jsonb') fields!: StoredFields;
  @Column('text', { nullable: true }) currency!: string | null;
  @Column('bigint', { nullable: true }) amountCents!: number | null;
  @Column('text', { nullable: true }) told!: ToldStatus | null;
  @Column('text', { nullable: true }) problem!: ImportProblem | null;
  @Column('text', { nullable: true }) message!: string | null;
  /** The group that a partner joins. */
  @Column('text', { nullable: true }) groupName!: string | null;
  /** What is wrong with a row that is booked all the same. */
  @Column('text', { nullable: true }) sideProblem!: ImportProblem | null;
  @Column('text', { nullable: true }) sideMessage!: string | null;
  @Column('jsonb', { nullable: true }) warnings!: RowWarning[] | null;
  /** What is, or was, to be done with it: what is read is new until it is judged; null beside a problem. */
  @Column('text', { nullable: true }) outcome!: RowOutcome | null;
}
