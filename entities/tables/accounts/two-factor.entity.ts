import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';

/** The second factor of an account; until it is enabled it is only a setup that waits for a code. */
@Check('ck_two_factors_side', `side IN ('merchant', 'partner')`)
@Entity({ name: 'two_factors' })
export class TwoFactor {
  @PrimaryColumn({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @Column({ type: 'text' })
  side!: Side;

  @Column({ name: 'secret_encrypted', type: 'text' })
  secretEncrypted!: string;

  @Column({ name: 'enabled_at', type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;

  /** Steps of the clock whose codes were used lately. */
  @Column({ name: 'used_steps', type: 'int', array: true })
  usedSteps!: number[];

  /** Keyed hashes of the recovery codes that are left. */
  @Column({ name: 'recovery_hashes', type: 'text', array: true })
  recoveryHashes!: string[];

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
