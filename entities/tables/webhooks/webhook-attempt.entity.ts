import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One try of one delivery. */
@Entity({ name: 'webhook_attempts' })
export class WebhookAttempt {
  @PrimaryColumn({ name: 'delivery_id', type: 'uuid' })
  deliveryId!: string;

  @PrimaryColumn({ type: 'int' })
  attempt!: number;

  @Column({ type: 'timestamptz' })
  at!: Date;

  @Column({ name: 'http_status_code', type: 'int', nullable: true })
  httpStatusCode!: number | null;

  @Column({ name: 'error_message', type: 'text', nullable: true })
  errorMessage!: string | null;

  @Column({ name: 'duration_ms', type: 'int' })
  durationMs!: number;
}
