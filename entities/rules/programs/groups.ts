import type { FieldProblem } from '../values/field-problem';
import {
  programTermsProblems,
  type ApprovalMode,
  type ProgramTerms,
  type RuleMatch,
} from './terms';
import type { ProgramTermsInput } from './terms';

/** Groups of a programme, the default one among them. */
export const maxGroups = 100;
export const defaultGroupName = 'Default';

/** What of a group judges a sale; null leaves it to the programme, each field by itself. */
export interface GroupTerms {
  id: string;
  name: string;
  commission: ProgramTerms | null;
  holdDays: number | null;
  autoApprove: boolean | null;
}

/** The group of everybody who is in no other is the programme, under its id, and offers nothing of its own. */
export function defaultGroupOf(programId: string, name = defaultGroupName): GroupTerms {
  return { id: programId, name, commission: null, holdDays: null, autoApprove: null };
}

/** Two names are one in any case. */
export function groupNameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** How a partner came into a group; `start` is before anybody could choose one, or a server's adding. */
export const groupSources = ['start', 'hand', 'tier', 'invite', 'application', 'import'] as const;
export type GroupSource = (typeof groupSources)[number];

/** A group that something names, and where. */
export interface NamedGroup {
  field: string;
  groupId: string;
}

/** The groups that rules name, each by its place. */
export function groupsNamed(rules: readonly { match: RuleMatch }[]): NamedGroup[] {
  return rules.flatMap(({ match: { groupIds = [] } }, rule) =>
    groupIds.map((groupId) => ({ field: `rules[${rule}].match.groupIds`, groupId })),
  );
}

/** What of a group a client sends. */
export interface GroupInput {
  commission?: ProgramTermsInput | null | undefined;
  holdDays?: number | null | undefined;
  autoApprove?: boolean | null | undefined;
  publicApplications?: boolean | undefined;
  approvalMode?: ApprovalMode | null | undefined;
}

/** What is wrong with a group's terms as a whole. */
export function groupProblems({ commission }: GroupInput): FieldProblem[] {
  return commission ? programTermsProblems(commission, 'commission') : [];
}

/** The default group is the programme: what it would say besides its name and description. */
export function defaultGroupProblems(
  input: GroupInput,
  { publicApplications }: { publicApplications: boolean },
): FieldProblem[] {
  const own = ['commission', 'holdDays', 'autoApprove', 'approvalMode'] as const;
  const given = own.filter((field) => input[field] !== undefined && input[field] !== null);
  const isOpened =
    input.publicApplications !== undefined && input.publicApplications !== publicApplications;
  return [...given, ...(isOpened ? (['publicApplications'] as const) : [])].map((field) => ({
    field,
    message: `${field} of the default group is the programme's: change it there`,
  }));
}

/** Whether anybody may apply for a group, and how an application is decided. */
export function applicationsOf(
  program: { publicApplications: boolean; approvalMode: ApprovalMode },
  group: { isDefault: boolean; publicApplications: boolean; approvalMode: ApprovalMode | null },
): { isOpen: boolean; approvalMode: ApprovalMode } {
  return {
    isOpen: group.isDefault ? program.publicApplications : group.publicApplications,
    approvalMode: group.approvalMode ?? program.approvalMode,
  };
}
