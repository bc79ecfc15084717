import type { WorkspaceRecord } from '../../activities/workspace/workspace';
import { AnyText, Email, Flag, Instant, Name, Uuid } from '../http/contract/validators';

export class UpdateWorkspaceBody {
  @Name({ optional: true, example: 'Acme Shop' })
  name?: string;

  @Email({
    optional: true,
    nullable: true,
    description: 'Where mails of test mode go; null: nowhere, the notification log keeps them.',
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
}

export function presentWorkspace(record: WorkspaceRecord): WorkspaceDto {
  return {
    id: record.id,
    name: record.name,
    testEmailRedirect: record.testEmailRedirect,
    requireTwoFactor: record.requireTwoFactor,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export const workspaceExample: WorkspaceDto = {
  id: '019a0b1c-2d3e-7f40-8a51-000000000001',
  name: 'Acme Shop',
  testEmailRedirect: null,
  requireTwoFactor: false,
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
};
