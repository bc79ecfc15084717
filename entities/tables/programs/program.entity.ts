import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type {
  ApprovalMode,
  CommissionBasis,
  CommissionRule,
  CommissionType,
  ProgramStatus,
  SalesFrom,
} from '../../rules/programs/terms';

/** An affiliate programme of one workspace and mode, with its terms and its list of rules. */
@Check('ck_programs_approval_mode', `approval_mode IN ('auto', 'manual')`)
@Check('ck_programs_mode', `mode IN ('test', 'live')`)
@Check('ck_programs_sales_from', `sales_from IN ('both', 'api', 'stripe', 'paddle', 'polar')`)
@Check('ck_programs_status', `status IN ('draft', 'active', 'paused', 'archived')`)
@Check(
  'ck_programs_terms',
  ` CASE commission_type WHEN 'percentage' THEN ((rate_bps IS NOT NULL) AND (amount_cents IS NULL) AND (basis IS NOT NULL)) WHEN 'flat' THEN ((amount_cents IS NOT NULL) AND (rate_bps IS NULL) AND (basis IS NULL)) ELSE false END`,
)
@Entity({ name: 'programs' })
export class Program {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') name!: string;
  @Column('text') websiteUrl!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') currency!: string;
  @Column('text') status!: ProgramStatus;
  @Column('int') attributionWindowDays!: number;
  @Column('text') approvalMode!: ApprovalMode;
  @Column('boolean') publicApplications!: boolean;
  @Column('text') commissionType!: CommissionType;
  @Column('int', { nullable: true }) rateBps!: number | null;
  @Column('bigint', { nullable: true }) amountCents!: number | null;
  @Column('text', { nullable: true }) basis!: CommissionBasis | null;
  @Column('boolean') recurring!: boolean;
  @Column('int', { nullable: true }) recurringMonths!: number | null;
  @Column('int') holdDays!: number;
  @Column('boolean') autoApprove!: boolean;
  @Column('text', { array: true }) acceptedCurrencies!: string[];
  @Column('bigint', { nullable: true }) reviewAboveCents!: number | null;
  @Column('bigint') minPayoutCents!: number;
  @Column('text') salesFrom!: SalesFrom;
  /** Hosts that clicks must not come from, subdomains included. */
  @Column('text', { array: true }) bannedSources!: string[];
  /** First match wins, else the programme's own terms. */
  @Column('jsonb') rules!: CommissionRule[];
  /** When its partners were last told of changed terms. */
  @Column('timestamptz', { nullable: true }) termsToldAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}
