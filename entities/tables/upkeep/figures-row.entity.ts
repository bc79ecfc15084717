import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One figure: the name of its gauge, its labels there, and what it is. */
export interface Sample {
  name: string;
  labels?: Record<string, string>;
  value: number;
}

/** What one reader last read, and when somebody is to read again. */
@Entity({ name: 'figures' })
export class FiguresRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_figures' }) reader!: string;
  @Column('timestamptz') dueAt!: Date;
  /** Null until the first were read. */
  @Column('timestamptz', { nullable: true }) readAt!: Date | null;
  @Column('jsonb') samples!: Sample[];
}
