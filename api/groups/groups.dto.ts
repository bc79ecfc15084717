import type { NewGroup } from '../../activities/programs/groups';
import { isDefaultGroup } from '../../activities/programs/group-rows';
import {
  approvalModes,
  maxHoldDays,
  programTermsOf,
  type ApprovalMode,
} from '../../entities/rules/programs/terms';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { present } from '../http/contract/present';
import {
  absent,
  AnyText,
  Flag,
  Instant,
  Int,
  Name,
  Nested,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';
import { CommissionTermsBody, notifyWords } from '../programs/program-bodies.dto';
import { CommissionTermsDto } from '../programs/programs.dto';

const inherits = "Null: the programme's.";

/** What both create and change a group. */
class GroupSettingsBody {
  @Text({ max: 2_000, ...absent })
  description?: string | null;

  @Nested(() => CommissionTermsBody, {
    ...absent,
    description: `Replaced as a whole, with its own recurring. ${inherits}`,
  })
  commission?: CommissionTermsBody | null;

  @Int({ min: 0, max: maxHoldDays, ...absent, description: inherits })
  holdDays?: number | null;

  @Flag({ ...absent, description: inherits })
  autoApprove?: boolean | null;

  @Flag({ optional: true, description: 'Partners may apply for the group. Default false.' })
  publicApplications?: boolean;

  @OneOf(approvalModes, { ...absent, description: inherits })
  approvalMode?: ApprovalMode | null;
}

export class CreateGroupBody extends GroupSettingsBody {
  @Name({ example: 'Gold' })
  name!: string;
}

export class UpdateGroupBody extends GroupSettingsBody {
  @Name({ optional: true, example: 'Gold' })
  name?: string;

  @Flag({ optional: true, description: notifyWords })
  notify?: boolean;
}

export function newGroupOf({ commission, ...settings }: CreateGroupBody): NewGroup {
  return { ...settings, ...termsOf(commission) };
}

export function groupPatchOf(body: UpdateGroupBody): Partial<NewGroup> {
  const { commission, notify: _notify, ...settings } = body;
  return { ...settings, ...termsOf(commission) } as Partial<NewGroup>;
}

function termsOf(commission: CommissionTermsBody | null | undefined): Pick<NewGroup, 'commission'> {
  return commission === undefined ? {} : { commission: commission && programTermsOf(commission) };
}

/** Partners of a programme under terms of their own; null is the programme's, each field by itself. */
export class GroupDto {
  @Uuid({ description: 'The default group has the id of the programme.' })
  id!: string;

  @AnyText({ example: 'Gold' })
  name!: string;

  @AnyText({ nullable: true, example: 'From ten customers on.' })
  description!: string | null;

  @Nested(() => CommissionTermsDto, { nullable: true })
  commission!: CommissionTermsDto | null;

  @Int({ nullable: true, example: null })
  holdDays!: number | null;

  @Flag({ nullable: true, example: null })
  autoApprove!: boolean | null;

  @Flag({ description: "Of the default group the programme's." })
  publicApplications!: boolean;

  @OneOf(approvalModes, { nullable: true })
  approvalMode!: ApprovalMode | null;

  @Flag()
  isDefault!: boolean;

  @Int({ min: 0, description: 'Who is in it now, of any status.', example: 3 })
  participants!: number;

  @Instant()
  createdAt!: string;

  @Instant()
  updatedAt!: string;
}

export type GroupRow = ProgramGroup & { participants: number };

export function presentGroup(row: GroupRow, program: Program): GroupDto {
  const isDefault = isDefaultGroup(row);
  const publicApplications = isDefault ? program.publicApplications : row.publicApplications;
  return present(GroupDto, { ...row, isDefault, publicApplications });
}
