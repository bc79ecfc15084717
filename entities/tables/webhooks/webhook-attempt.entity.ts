import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One try of one delivery. */
@Entity({ name: 'webhook_attempts' })
export class WebhookAttempt {
  @PrimaryColumn('uuid') deliveryId!: string;
  @PrimaryColumn('int') attempt!: number;
  @Column('timestamptz') at!: Date;
  @Column('int', { nullable: true }) httpStatusCode!: number | null;
  @Column('text', { nullable: true }) errorMessage!: string | null;
  @Column('int') durationMs!: number;
}
