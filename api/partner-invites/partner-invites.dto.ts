import type { PartnerInvite } from '../../entities/tables/partners/partner-invite.entity';
import {
  inviteStatus,
  inviteStatuses,
  type InviteStatus,
} from '../../entities/rules/partners/invite';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import { PageQuery } from '../http/contract/pagination';
import { AnyText, Email, Instant, Name, Nested, OneOf, Uuid } from '../http/contract/validators';
import { PublicProgramDto, presentPublicProgram } from '../programs/programs.dto';

export class InvitePartnerBody {
  @Email({ example: 'anna@partner.example' })
  email!: string;

  @Name({ optional: true, nullable: true, example: 'Anna' })
  name?: string | null;

  @Uuid({
    optional: true,
    nullable: true,
    description: 'Where whoever accepts it begins. Default: the default group.',
  })
  groupId?: string | null;
}

export class AcceptPartnerInviteBody {
  @AnyText({ description: "The token of the invite's link." })
  token!: string;
}

/** The only answer that carries the link. */
export class CreatedPartnerInviteDto {
  @Uuid()
  id!: string;

  @AnyText({
    description: 'Carries the token as its query parameter `token`.',
    example: 'https://partners.example/partner-invite?token=AZjA3lAAcACA...',
  })
  inviteUrl!: string;

  @Instant({ example: '2026-02-14T09:30:00.000Z' })
  expiresAt!: string;
}

export class InviteQuery extends PageQuery {
  @OneOf(inviteStatuses, { optional: true })
  status?: InviteStatus;
}

export class PartnerInviteDto {
  @Uuid()
  id!: string;

  @AnyText()
  email!: string;

  @AnyText({ nullable: true, example: 'Anna' })
  name!: string | null;

  @OneOf(inviteStatuses)
  status!: InviteStatus;

  @Instant({ example: '2026-02-14T09:30:00.000Z' })
  expiresAt!: string;

  @Instant()
  createdAt!: string;
}

export function presentInvite(invite: PartnerInvite, now: Date): PartnerInviteDto {
  return {
    id: invite.id,
    email: invite.email,
    name: invite.name,
    status: inviteStatus(invite, now),
    expiresAt: invite.expiresAt.toISOString(),
    createdAt: invite.createdAt.toISOString(),
  };
}

export function presentCreatedInvite(
  invite: PartnerInvite,
  link: { dashboardUrl: string; token: string },
): CreatedPartnerInviteDto {
  return {
    id: invite.id,
    inviteUrl: `${link.dashboardUrl}/partner-invite?token=${link.token}`,
    expiresAt: invite.expiresAt.toISOString(),
  };
}

/** What somebody who was invited may know before they have an account. */
export class InvitePreviewDto {
  @AnyText({ example: 'Tea shop' })
  programName!: string;

  @AnyText()
  workspaceName!: string;

  @AnyText()
  websiteUrl!: string;

  @Nested(() => PublicProgramDto)
  terms!: PublicProgramDto;

  @AnyText()
  email!: string;

  @AnyText({
    nullable: true,
    description: 'As the merchant has typed it.',
    example: 'Anna Partner',
  })
  name!: string | null;

  @Instant({ example: '2026-02-14T09:30:00.000Z' })
  expiresAt!: string;
}

export function presentInvitePreview(
  invite: PartnerInvite,
  { program, group }: { program: Program; group: ProgramGroup },
  workspaceName: string,
): InvitePreviewDto {
  return {
    programName: program.name,
    workspaceName,
    websiteUrl: program.websiteUrl,
    terms: presentPublicProgram(program, group),
    email: invite.email,
    name: invite.name,
    expiresAt: invite.expiresAt.toISOString(),
  };
}
