import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Work that must follow a commit; deleted once done. */
@Entity({ name: 'outbox' })
export class OutboxRow {
  @PrimaryColumn({ type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  topic!: string;

  @Column({ type: 'uuid' })
  ref!: string;

  @Column({ type: 'jsonb' })
  payload!: Record<string, unknown>;

  @Column({ name: 'available_at', type: 'timestamptz' })
  availableAt!: Date;

  @Column({ type: 'int' })
  attempts!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
