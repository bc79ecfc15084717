import { actorTypes, type Actor } from '../../entities/rules/values/actor';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { PageQuery, pageAnswer, toPage } from '../http/contract/pagination';
import {
  AnyText,
  DateOrInstant,
  Instant,
  Nested,
  OneOf,
  Text,
  Uuid,
} from '../http/contract/validators';
import { listAuditLog, type AuditRow } from './audit-log.queries';

const route = routesOf('Workspace');

class AuditLogFilter extends PageQuery {
  @Uuid({ optional: true, description: 'Account id of who did it.' })
  actor?: string;

  @Text({ max: 100, optional: true, description: 'Exact name.', example: 'api_key.created' })
  action?: string;

  @DateOrInstant({ optional: true })
  dateFrom?: string;

  @DateOrInstant({ optional: true })
  dateTo?: string;
}

class AuditActorDto {
  @OneOf(actorTypes)
  type!: Actor['type'];

  @Uuid({ nullable: true, example: '019a0b1c-2d3e-7f40-8a51-62738495a6b7' })
  id!: string | null;

  @AnyText({ nullable: true, example: 'mia@example.com' })
  email!: string | null;
}

class AuditTargetDto {
  @AnyText({ example: 'api_key' })
  type!: string;

  @AnyText({ nullable: true, example: '019a0b1c-2d3e-7f40-8a51-000000000002' })
  id!: string | null;
}

class AuditEntryDto {
  @Uuid()
  id!: string;

  @Instant()
  createdAt!: string;

  @Nested(() => AuditActorDto)
  actor!: AuditActorDto;

  @AnyText({ example: 'api_key.created' })
  action!: string;

  @Nested(() => AuditTargetDto)
  target!: AuditTargetDto;

  @AnyText({
    nullable: true,
    description:
      'What it was before, where the action changes one id: of a customer the participant.',
  })
  from!: string | null;

  @AnyText({ nullable: true, description: 'What it is since then; null for nobody.' })
  to!: string | null;

  @AnyText({ nullable: true, example: '019a0b1c-2d3e-7f40-8a51-000000000006' })
  requestId!: string | null;
}

function idIn({ details }: AuditRow, name: 'from' | 'to'): string | null {
  const id = details?.[name];
  return typeof id === 'string' ? id : null;
}

function presentAuditEntry(row: AuditRow): AuditEntryDto {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    actor: { type: row.actorType, id: row.actorId, email: row.actorEmail },
    action: row.action,
    target: { type: row.targetType, id: row.targetId },
    from: idIn(row, 'from'),
    to: idIn(row, 'to'),
    requestId: row.requestId,
  };
}

export const auditLogRoutes: Route[] = [
  route.get(
    '/api/v1/workspace/audit-log',
    {
      name: 'listAuditLog',
      summary: 'Read the audit log',
      description:
        'Who did what and when, newest first: decisions, settings, keys, members, and security events such as failed logins.',
      auth: merchant('admin'),
      query: AuditLogFilter,
      responses: pageAnswer(AuditEntryDto),
    },
    async (ctx) => {
      const filter = ctx.input.query;
      const found = await listAuditLog(ctx.db, ctx.principal.workspaceId, filter);
      ctx.body = toPage(ctx, found, presentAuditEntry);
    },
  ),
];
