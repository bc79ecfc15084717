import type { MemberRecord } from '../../activities/workspace/members';
import { roles, type Role } from '../../entities/rules/values/roles';
import { AnyText, Email, HttpUrl, Instant, OneOf, Uuid } from '../http/contract/validators';

export class InviteMemberBody {
  @Email({ example: 'max@example.com' })
  email!: string;

  @OneOf(roles)
  role!: Role;
}

export class ChangeRoleBody {
  @OneOf(roles)
  role!: Role;
}

const statuses = ['invited', 'active'] as const;

export class MemberDto {
  @Uuid({ description: 'Of the account, or of the invite while invited.' })
  id!: string;

  @AnyText({ example: 'max@example.com' })
  email!: string;

  @AnyText({ nullable: true, description: 'Null while invited.', example: 'Max Member' })
  name!: string | null;

  @OneOf(roles, { example: 'member' })
  role!: Role;

  @OneOf(statuses, { example: 'active' })
  status!: (typeof statuses)[number];

  @Instant()
  createdAt!: string;
}

export class InvitedMemberDto {
  @Uuid()
  id!: string;

  @AnyText({ example: 'max@example.com' })
  email!: string;

  @OneOf(roles, { example: 'member' })
  role!: Role;

  @OneOf(['invited'])
  status!: 'invited';

  @HttpUrl({
    description: 'The link of the mail; its query parameter `token` is the invite.',
    example:
      'https://dashboard.example.com/accept-invite?token=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  })
  inviteUrl!: string;
}

export function presentMember(record: MemberRecord): MemberDto {
  return {
    id: record.id,
    email: record.email,
    name: record.name,
    role: record.role,
    status: record.status,
    createdAt: record.createdAt.toISOString(),
  };
}
