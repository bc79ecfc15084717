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

  @AnyText()
  email!: string;

  @AnyText({ nullable: true, description: 'Null while invited.' })
  name!: string | null;

  @OneOf(roles)
  role!: Role;

  @OneOf(statuses)
  status!: (typeof statuses)[number];

  @Instant()
  createdAt!: string;
}

export class InvitedMemberDto {
  @Uuid()
  id!: string;

  @AnyText()
  email!: string;

  @OneOf(roles)
  role!: Role;

  @OneOf(['invited'])
  status!: 'invited';

  @HttpUrl({ description: 'The link of the mail; its query parameter `token` is the invite.' })
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

export const memberExample: MemberDto = {
  id: '019a0b1c-2d3e-7f40-8a51-000000000003',
  email: 'max@example.com',
  name: 'Max Member',
  role: 'member',
  status: 'active',
  createdAt: '2026-01-31T09:30:00.000Z',
};

export const invitedExample: InvitedMemberDto = {
  id: '019a0b1c-2d3e-7f40-8a51-000000000004',
  email: 'max@example.com',
  role: 'member',
  status: 'invited',
  inviteUrl: `https://dashboard.example.com/accept-invite?token=${'x'.repeat(65)}`,
};
