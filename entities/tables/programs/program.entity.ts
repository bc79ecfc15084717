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
@Check('ck_programs_sales_from', `sales_from IN ('both', 'api', 'stripe')`)
@Check('ck_programs_status', `status IN ('draft', 'active', 'paused', 'archived')`)
@Check(
  'ck_programs_terms',
  ` CASE commission_type WHEN 'percentage' THEN ((rate_bps IS NOT NULL) AND (amount_cents IS NULL) AND (basis IS NOT NULL)) WHEN 'flat' THEN ((amount_cents IS NOT NULL) AND (rate_bps IS NULL) AND (basis IS NULL)) ELSE false END`,
)
@Entity({ name: 'programs' })
export class Program {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'website_url', type: 'text' })
  websiteUrl!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text' })
  currency!: string;

  @Column({ type: 'text' })
  status!: ProgramStatus;

  @Column({ name: 'attribution_window_days', type: 'int' })
  attributionWindowDays!: number;

  @Column({ name: 'approval_mode', type: 'text' })
  approvalMode!: ApprovalMode;

  @Column({ name: 'public_applications', type: 'boolean' })
  publicApplications!: boolean;

  @Column({ name: 'commission_type', type: 'text' })
  commissionType!: CommissionType;

  @Column({ name: 'rate_bps', type: 'int', nullable: true })
  rateBps!: number | null;

  @Column({ name: 'amount_cents', type: 'bigint', nullable: true })
  amountCents!: number | null;

  @Column({ type: 'text', nullable: true })
  basis!: CommissionBasis | null;

  @Column({ type: 'boolean' })
  recurring!: boolean;

  @Column({ name: 'recurring_months', type: 'int', nullable: true })
  recurringMonths!: number | null;

  @Column({ name: 'hold_days', type: 'int' })
  holdDays!: number;

  @Column({ name: 'auto_approve', type: 'boolean' })
  autoApprove!: boolean;

  @Column({ name: 'accepted_currencies', type: 'text', array: true })
  acceptedCurrencies!: string[];

  @Column({ name: 'review_above_cents', type: 'bigint', nullable: true })
  reviewAboveCents!: number | null;

  @Column({ name: 'min_payout_cents', type: 'bigint' })
  minPayoutCents!: number;

  @Column({ name: 'sales_from', type: 'text' })
  salesFrom!: SalesFrom;

  /** Hosts that clicks must not come from, subdomains included. */
  @Column({ name: 'banned_sources', type: 'text', array: true })
  bannedSources!: string[];

  /** First match wins, else the programme's own terms. */
  @Column({ type: 'jsonb' })
  rules!: CommissionRule[];

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
