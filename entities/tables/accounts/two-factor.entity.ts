import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';

/** The second factor of an account; until it is enabled it is only a setup that waits for a code. */
@Check('ck_two_factors_side', `side IN ('merchant', 'partner')`)
@Entity({ name: 'two_factors' })
export class TwoFactor {
  @PrimaryColumn('uuid') accountId!: string;
  @Column('text') side!: Side;
  @Column('text') secretEncrypted!: string;
  @Column('timestamptz', { nullable: true }) enabledAt!: Date | null;
  /** Steps of the clock whose codes were used lately. */
  @Column('int', { array: true }) usedSteps!: number[];
  /** Keyed hashes of the recovery codes that are left. */
  @Column('text', { array: true }) recoveryHashes!: string[];
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}
