import type { WorkspaceRecord } from '../../activities/workspace/workspace';
import { maxTypedPassword } from '../auth/auth.dto';
import { confirmationPhrase } from '../../entities/rules/erasure/erasure';
import {
  AnyText,
  Email,
  Flag,
  Instant,
  Name,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';

export class UpdateWorkspaceBody {
  @Name({ optional: true, example: 'Acme Shop' })
  name?: string;

  @Email({
    optional: true,
    nullable: true,
    description:
      "Where mails of test mode go: a member's confirmed address, until that member leaves; null: nowhere, the notification log keeps them.",
    example: 'dev@example.com',
  })
  testEmailRedirect?: string | null;

  @Flag({
    optional: true,
    description:
      'Members without a second factor get 403 outside of their own account. Owners only.',
  })
  requireTwoFactor?: boolean;
}

export class WorkspaceDto {
  @Uuid()
  id!: string;

  @AnyText()
  name!: string;

  @AnyText({ nullable: true })
  testEmailRedirect!: string | null;

  @Flag()
  requireTwoFactor!: boolean;

  @Instant()
  createdAt!: string;

  @Instant()
  updatedAt!: string;

  @Instant({
    nullable: true,
    description:
      'When the workspace is closed, its data deleted. Null unless an owner asked for it.',
  })
  closesAt!: string | null;
}

export class CloseWorkspaceBody {
  @OneOf([confirmationPhrase], {
    description: 'Typed by a person; anything else is CONFIRMATION_INVALID.',
  })
  confirmation!: string;

  @Text({ max: maxTypedPassword, description: 'Your own, once more.', example: 'a long password' })
  password!: string;
}

export function presentWorkspace(record: WorkspaceRecord): WorkspaceDto {
  return {
    id: record.id,
    name: record.name,
    testEmailRedirect: record.testEmailRedirect,
    requireTwoFactor: record.requireTwoFactor,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    closesAt: record.closesAt?.toISOString() ?? null,
  };
}

export const workspaceExample: WorkspaceDto = {
  id: '019a0b1c-2d3e-7f40-8a51-000000000001',
  name: 'Acme Shop',
  testEmailRedirect: null,
  requireTwoFactor: false,
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
  closesAt: null,
};
